// Reactions while a singular position is passed.
//
// The motion is smooth there, and so is what the constraints must add, g = M a - F. The reactions
// solve A^T Lambda = g; with A = W^T diag(sigma) U those along w_i are (u_i g)/sigma_i, and the
// signed sigma_i goes through zero in proportion to the time. So a reaction has a simple pole at
// the instant z of the position, unless u_i g vanishes with it:
//   Lambda = sum_i r_i/(t - z_i) + a smooth rest.
// The residues come from the product of Lambda and all t - z_i, which is smooth.
#include "contact/contact.h"
#include "walk/passage.h"

#include <math.h>
#include <string.h>

enum { nodes = STEP_BRIDGE_NODES, most_turns = 12 };

// the instant near z at which a singular value goes through zero, to rounding
static double sharpen(walk_passage* p, double z)
{
  const engine_rank* k = p->rank;
  double t = z;
  for (int turn = 0; turn < most_turns; turn++) {
    walk_passage_go_to(p, t);
    engine_rank_values(p->rank);
    int least = 0;
    for (int i = 1; i < k->rows; i++)
      if (k->sigma[i] < k->sigma[least]) least = i;
    const double step = -k->sigma[least] / k->slope[least];
    if (!(fabs(t + step - z) < p->away)) return z;
    t += step;
    if (fabs(step) < engine_pole_placed * p->away) break;
  }
  return t;
}

static double from_pole(const walk_passage* p, int i, double t)
{
  return (t - p->pole[i]) / p->away;
}

// the reactions at the nodes times the distances from all poles, as polynomials; then the residues
static void find_residues(walk_passage* p)
{
  const int m = p->r->e->m;
  double* product = p->product;
  for (int j = 0; j < nodes; j++) {
    double distance = 1;
    for (int i = 0; i < p->zeros; i++) distance *= from_pole(p, i, p->span.node[j]);
    for (int c = 0; c < m; c++) product[j * m + c] = distance * p->force[j * m + c];
  }
  step_bridge_fit(p->bridge, m, product, p->lambda);
  for (int i = 0; i < p->zeros; i++) {
    double* residue = p->residue + i * m;
    step_bridge_value(p->bridge, m, p->lambda, p->pole[i], residue);
    double others = 1;
    for (int k = 0; k < p->zeros; k++)
      if (k != i) others *= from_pole(p, k, p->pole[i]);
    for (int c = 0; c < m; c++) residue[c] /= others;
  }
}

// the largest of each reaction at the nodes tells which residues are none
static void drop_roundings(walk_passage* p)
{
  const int m = p->r->e->m;
  for (int c = 0; c < m; c++) {
    double largest = 0;
    for (int j = 0; j < nodes; j++) largest = fmax(largest, fabs(p->force[j * m + c]));
    for (int i = 0; i < p->zeros; i++)
      if (fabs(p->residue[i * m + c]) <= engine_no_pole * largest) p->residue[i * m + c] = 0;
  }
}

bool walk_passage_take_reactions(walk_passage* p)
{
  engine* e = p->r->e;
  const int m = e->m;
  for (int i = 0; i < p->zeros; i++) p->pole[i] = sharpen(p, p->zero[i]);
  for (int j = 0; j < nodes; j++) {
    bool moved;
    walk_passage_go_to(p, p->span.node[j]);
    if (engine_project(e, &moved) || contact_accelerations(e)) return false;
    contact_reactions(e);
    memcpy(p->force + j * m, e->lambda, sizeof(double) * (size_t)m);
  }
  find_residues(p);
  drop_roundings(p);
  for (int j = 0; j < nodes; j++)
    for (int i = 0; i < p->zeros; i++)
      for (int c = 0; c < m; c++)
        p->force[j * m + c] -= p->residue[i * m + c] / from_pole(p, i, p->span.node[j]);
  step_bridge_fit(p->bridge, m, p->force, p->lambda);
  return true;
}

// without a value at a pole, where it grows beyond all bounds
void walk_passage_give_reactions(const walk_passage* p, double t)
{
  engine* e = p->r->e;
  const int m = e->m;
  step_bridge_value(p->bridge, m, p->lambda, t, e->lambda);
  for (int i = 0; i < p->zeros; i++) {
    const double distance = from_pole(p, i, t);
    const double over = fabs(distance) < engine_at_pole ? NAN : 1 / distance;
    for (int c = 0; c < m; c++)
      if (p->residue[i * m + c] != 0) e->lambda[c] += p->residue[i * m + c] * over;
  }
}
