// Patches of a large island: the contacts that are off the most, each with its neighbours, solved
// by themselves while all others press as they do.
//
// A few bodies that hold each other in a ring may have impulses that move nothing. If all of their
// contacts are held and cannot be, sweeps push these impulses on by the same little in each, until
// one leaves its cone, which may take millions of them. As a problem of its own such a ring is
// small, and the ways for small islands end it at once. What that does to the neighbours is left to
// the next sweeps: an alternating method of Schwarz, whose parts are those where it is needed.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <string.h>

enum { most_patches = 6, most_contacts = 30, most_rows = 90 };
static const double far_off = 0.2; // of the worst: a patch begins there
static const double better = 0.5;  // of what its first contact was off by: a patch is taken

// the breach of a contact, or of an equation
static double off_at(const cone_many* f, int n)
{
  double worst = cone_many_off(f, n);
  for (int k = f->first[n]; k < f->first[n + 1]; k++)
    worst = fmax(worst, cone_many_off(f, f->tangent[k]));
  return worst;
}

// row n, and what hangs on it, come into the patch
static void take(const cone_many* f, cone_many* g, int n, int* rows)
{
  f->seen[n] = true;
  g->order[(*rows)++] = n;
  for (int k = f->first[n]; k < f->first[n + 1]; k++) g->order[(*rows)++] = f->tangent[k];
}

// the contacts around the first that press, or would have to; how many rows they have
static int grow(const cone_many* f, cone_many* g, int first)
{
  const cone_many_problem* p = f->p;
  int rows = 0, contacts = 1;
  take(f, g, first, &rows);
  for (int at = 0; at < rows; at++) {
    const int i = g->order[at];
    for (int k = p->start[i]; k < p->start[i + 1] && contacts < most_contacts && rows < most_rows;
         k++) {
      const int j = p->column[k], n = p->kind[j] == CONE_MANY_TANGENT ? p->of[j] : j;
      const bool open = p->kind[n] == CONE_MANY_NORMAL && !(f->x[n] > 0) && !(f->w[n] < 0);
      if (f->seen[n] || open) continue;
      take(f, g, n, &rows);
      contacts++;
    }
  }
  return rows;
}

// the rows of the order of g; they are taken if that leaves less than `allowed`
static void solve_patch(cone_many* f, cone_many* g, int rows, double allowed)
{
  cone_many_result out = {0};
  double fast = 0;
  memset(g->place, -1, sizeof *g->place * (size_t)f->p->r);
  for (int k = 0; k < rows; k++) g->place[g->order[k]] = k;
  cone_many_enter(g, f->p, f->x, 0, rows);
  for (int k = 0; k < rows; k++) fast = fmax(fast, fabs(g->island.q[k]));
  const double left = cone_many_solve_island(g, &out);
  f->work += g->work;
  if (left * fast > allowed) return;
  for (int k = 0; k < rows; k++) f->x[g->order[k]] = g->island.x[k];
}

void cone_many_patches(cone_many* f)
{
  const int r = f->p->r;
  double most = 0, *off = f->right;
  if (!f->patch) f->patch = cone_many_new(r);
  f->patch->is_patch = true;
  cone_many_room(f->patch, r);
  memset(f->seen, 0, sizeof *f->seen * (size_t)r);
  for (int n = 0; n < r; n++) {
    off[n] = f->p->kind[n] == CONE_MANY_TANGENT ? 0 : off_at(f, n);
    most = fmax(most, off[n]);
  }
  for (int patch = 0; patch < most_patches; patch++) {
    int first = -1;
    for (int n = 0; n < r; n++)
      if (!f->seen[n] && off[n] > far_off * most && (first < 0 || off[n] > off[first])) first = n;
    if (first < 0) return;
    solve_patch(f, f->patch, grow(f, f->patch, first), better * off[first]);
  }
}
