// Many contacts, exactly: Newton on which rows are held.
//
// Each row is taken for off, held or on its bound by the sign of what the laws project (Alart and
// Curnier 1991, (3.1), in the plane):
//   normal   held where x - w/G_ii > 0
//   tangent  s = x - w/G_ii against mu times the same of its normal row
// Two tangents in space, y = x - w/G_ii, are held where |y| is below the bound; on it, x = mu x_n
// y/|y|, which is not linear: its derivative by x_n and, for the turning, by y takes its place in
// the system, and the turns go on until the directions stand cone_slip_still. Then x of the held
// rows follows from w = 0, a sparse system, and the signs are looked at again. Redundant rows make
// it singular. So each problem is solved with w + prox G_ii (x_i - c_i) in the place of w, c the
// answer before: the proximal point method (Rockafellar 1976), whose limit solves the problem
// itself. A small prox gets there in a turn or two where the states are clear; where they run in
// circles a large one begins, and falls as they settle.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double first_prox = 0.1, most_prox = 10;
enum { most_turns = 40, most_centres = 60 };

static cone_many_state state_of(const cone_many* f, int i)
{
  const cone_many_problem* p = f->p;
  if (p->kind[i] == CONE_MANY_EQUAL) return CONE_MANY_HELD;
  const double s = f->x[i] - f->w[i] / f->diagonal[i];
  if (p->kind[i] == CONE_MANY_NORMAL) return s > 0 ? CONE_MANY_HELD : CONE_MANY_OFF;
  const int n = p->of[i], o = cone_many_pair(f, i);
  const double bound = p->mu[i] * (f->x[n] - f->w[n] / f->diagonal[n]);
  if (!(bound > 0)) return CONE_MANY_OFF;
  if (o >= 0) {
    const double d = cone_many_scale(f, i);
    return hypot(f->x[i] - f->w[i] / d, f->x[o] - f->w[o] / d) > bound ? CONE_MANY_SLIP
                                                                       : CONE_MANY_HELD;
  }
  return s > bound ? CONE_MANY_UP : s < -bound ? CONE_MANY_DOWN : CONE_MANY_HELD;
}

// take over the new states, all of them or the first that differs with what hangs on it; false:
// none differs
static bool change_states(cone_many* f, bool one_by_one)
{
  bool changed = false;
  for (int i = 0; i < f->p->r; i++) {
    const cone_many_state s = state_of(f, i);
    if (s == f->state[i]) continue;
    f->state[i] = s;
    // both tangents in space change together
    const int o = cone_many_pair(f, i);
    if (o >= 0) f->state[o] = s;
    if (one_by_one) return true;
    changed = true;
  }
  return changed;
}

// directions of what slips in space; how much the largest turned
static double point(cone_many* f)
{
  double turned = 0;
  for (int i = 0; i < f->p->r; i++) {
    if (f->state[i] != CONE_MANY_SLIP) continue;
    const int o = cone_many_pair(f, i), n = f->p->of[i];
    const double d = cone_many_scale(f, i), x = f->x[i] - f->w[i] / d, y = f->x[o] - f->w[o] / d;
    const double length = hypot(x, y), bound = f->p->mu[i] * fmax(f->x[n], 0);
    turned = fmax(turned, fabs(x / length - f->unit[i]));
    f->unit[i] = x / length;
    f->turn[i] = fmin(bound / length, 1);
  }
  return turned;
}

// share of x_n in a tangent on its bound
static double share(const cone_many* f, int i)
{
  if (f->state[i] == CONE_MANY_UP) return f->p->mu[i];
  return f->state[i] == CONE_MANY_DOWN ? -f->p->mu[i] : 0;
}

// number of the unknown that stands behind row j, and with which factor; -1: none
static int unknown_of(const cone_many* f, int j, double* factor)
{
  *factor = 1;
  if (f->state[j] == CONE_MANY_HELD || f->state[j] == CONE_MANY_SLIP) return f->index[j];
  *factor = share(f, j);
  if (f->state[j] == CONE_MANY_OFF || f->state[f->p->of[j]] != CONE_MANY_HELD) return -1;
  return f->index[f->p->of[j]];
}

static int list_unknowns(cone_many* f)
{
  int count = 0;
  for (int i = 0; i < f->p->r; i++) {
    f->index[i] = -1;
    if (f->state[i] != CONE_MANY_HELD && f->state[i] != CONE_MANY_SLIP) continue;
    f->index[i] = count;
    f->unknown[count++] = i;
  }
  return count;
}

// the farthest unknown that row i of G, and row u of the system with it, knows of
static int reach(const cone_many* f, int u, int i)
{
  const cone_many_problem* p = f->p;
  int b = 0;
  for (int k = p->start[i]; k < p->start[i + 1]; k++) {
    double factor;
    const int c = unknown_of(f, p->column[k], &factor);
    if (c >= 0 && abs(c - u) > b) b = abs(c - u);
  }
  return b;
}

static int band_width(const cone_many* f, int count)
{
  int b = 0;
  for (int u = 0; u < count; u++) {
    const int i = f->unknown[u];
    int most = reach(f, u, i);
    if (f->state[i] == CONE_MANY_SLIP) {
      const int o = cone_many_pair(f, i), n = f->p->of[i];
      const int other = reach(f, u, o), pair = abs(f->index[o] - u);
      const int normal = f->state[n] == CONE_MANY_HELD ? abs(f->index[n] - u) : 0;
      most = most > other ? most : other;
      most = most > pair ? most : pair;
      most = most > normal ? most : normal;
    }
    b = most > b ? most : b;
  }
  return b;
}

// factor times w_i with its proximal term, into row u
static void add_velocity(cone_many* f, int u, int i, double prox, double factor)
{
  const cone_many_problem* p = f->p;
  double* row = cone_band_at(f->band, u, u); // with its neighbours beside it
  for (int k = p->start[i]; k < p->start[i + 1]; k++) {
    double share_of;
    const int c = unknown_of(f, p->column[k], &share_of);
    if (c >= 0) row[c - u] += factor * share_of * p->G[k];
  }
  row[f->index[i] - u] += factor * prox * f->diagonal[i];
  f->right[u] += factor * (prox * f->diagonal[i] * f->centre[i] - p->q[i]);
}

// d (x_i - mu x_n e_i - turn sum_o (1 - e e^T)_io (x_o - w_o/d)) = 0 for a tangent that slips in
// space along e
static void add_slip(cone_many* f, int u, int i, double prox)
{
  const cone_many_problem* p = f->p;
  const int pair[2] = {i, cone_many_pair(f, i)}, n = p->of[i];
  const double d = cone_many_scale(f, i);
  *cone_band_at(f->band, u, u) += d;
  if (f->state[n] == CONE_MANY_HELD)
    *cone_band_at(f->band, u, f->index[n]) -= d * p->mu[i] * f->unit[i];
  for (int k = 0; k < 2; k++) {
    const int o = pair[k];
    const double part = f->turn[i] * ((o == i) - f->unit[i] * f->unit[o]);
    *cone_band_at(f->band, u, f->index[o]) -= d * part;
    add_velocity(f, u, o, prox, part);
  }
}

// x of the states; false: singular all the same
static bool solve_states(cone_many* f, double prox)
{
  const cone_many_problem* p = f->p;
  const int count = list_unknowns(f);
  const int width = band_width(f, count);
  f->work += (double)count * width * width;
  cone_band_clear(f->band, count, width);
  for (int u = 0; u < count; u++) {
    const int i = f->unknown[u];
    f->right[u] = 0;
    if (f->state[i] == CONE_MANY_SLIP)
      add_slip(f, u, i, prox);
    else
      add_velocity(f, u, i, prox, 1);
  }
  if (!cone_band_factor(f->band)) return false;
  cone_band_solve(f->band, f->right);
  for (int i = 0; i < p->r; i++) f->x[i] = 0;
  for (int u = 0; u < count; u++) f->x[f->unknown[u]] = f->right[u];
  for (int i = 0; i < p->r; i++)
    if (f->state[i] == CONE_MANY_UP || f->state[i] == CONE_MANY_DOWN)
      f->x[i] = share(f, i) * f->x[p->of[i]];
  return true;
}

// w with the proximal term
static void proximal_product(cone_many* f, double prox)
{
  cone_many_product(f);
  for (int i = 0; i < f->p->r; i++) f->w[i] += prox * f->diagonal[i] * (f->x[i] - f->centre[i]);
}

// the states for one centre; false: they run in circles
static bool settle(cone_many* f, double prox, bool patient, bool one_by_one, int* turns)
{
  const int r = f->p->r, most = one_by_one ? 4 * r + most_turns : patient ? most_turns : f->haste;
  memcpy(f->centre, f->x, sizeof(double) * (size_t)r);
  for (int i = 0; i < r; i++) f->state[i] = state_of(f, i);
  point(f);
  for (int turn = 0; turn < most; turn++) {
    if (!solve_states(f, prox)) return false;
    (*turns)++;
    proximal_product(f, prox);
    const bool changed = change_states(f, one_by_one);
    if (!(point(f) > cone_slip_still) && !changed) return true;
  }
  return false;
}

static double fault_of(cone_many* f)
{
  cone_many_product(f);
  return cone_many_fault(f);
}

double cone_many_newton(cone_many* f, bool patient, int* turns)
{
  double prox = patient ? first_prox : cone_prox_small;
  const int centres = patient ? most_centres : 4,
            most = *turns + (patient ? CONE_MANY_PATIENCE : f->haste);
  for (int k = 0; k < centres && *turns < most; k++) {
    if (settle(f, prox, patient, patient && prox >= most_prox, turns)) {
      const double fault = fault_of(f);
      if (fault <= cone_many_tolerance) return fault;
      prox = fmax(prox / 10, cone_prox_least);
    } else {
      memcpy(f->x, f->centre, sizeof(double) * (size_t)f->p->r);
      cone_many_product(f);
      if (!patient || prox >= most_prox) break;
      prox = fmin(prox * 30, most_prox);
    }
  }
  return fault_of(f);
}
