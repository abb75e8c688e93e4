// Jumps of the forces at which contacts hold the motion by their pressure alone.
//
// The rate s' = S a + ... of such a jump is made of the rows that the contacts and constraints
// hold, S = sum c_i N_i: no friction is needed for it, and how the load is shared between the jump
// and the pressure is open. The jump carries what it can, beside friction in space as beside that
// in the plane (contact_corner_is_pressed), and so takes no part in the problem of the contacts:
// with its value open there, the pressure on which friction depends would be open, too.
#include "contact/beside.h"
#include "contact/contact.h"
#include "contact/corners.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// the rows that hold in any case, into A; how many
static int collect(const engine* e, int c, contact_span by, double* A)
{
  const size_t row = sizeof(double) * (size_t)e->n;
  int rows = 0;
  for (int k = 0; k < e->m; k++)
    if (e->mode.active[k] && (by == CONTACT_BY_ALL || !e->model->constraint[k].sticks))
      memcpy(A + rows++ * e->n, e->A + k * e->n, row);
  for (int i = 0; i < e->program->modes.count && by == CONTACT_BY_ALL; i++)
    if (e->mode.held[i] && i != c) memcpy(A + rows++ * e->n, contact_corner_row(e, i), row);
  return rows;
}

bool contact_corner_is_spanned(const engine* e, int c, contact_span by)
{
  const int n = e->n, most = e->m + e->program->modes.count;
  const double* S = contact_corner_row(e, c);
  double norm = 0, *A = base_alloc(sizeof(double) * (size_t)(most * (n + 1) + 1));
  const int rows = collect(e, c, by, A);
  for (int j = 0; j < n; j++) norm = hypot(norm, S[j]);
  num_null* null = num_null_new(rows, n);
  num_null_factor(null, rows, n, A, engine_redundant);
  const bool spanned =
      rows && norm > 0 && num_null_solve_t(null, A, S, A + rows * n) <= engine_redundant * norm;
  num_null_free(null);
  free(A);
  return spanned;
}

bool contact_corner_is_bound(engine* e, int i)
{
  bool bound = false;
  for (int p = 0; p < e->parts; p++)
    for (int k = 0; k < e->part[p].e->program->modes.count && !bound; k++) {
      if (e->part[p].corner[k] != i) continue;
      bound = contact_corner_is_bound(engine_part_enter(e, p), k);
      engine_part_leave(e, p);
    }
  if (e->parts) return bound;
  return !contact_corner_accelerations(e) && contact_corner_is_spanned(e, i, CONTACT_BY_ALL);
}

// as they were before the contacts were decided
static void begin_again(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) {
    e->mode.active[u->of[i]] = u->both[i] && u->was[i];
    for (int k = 0; k < contact_slip_count(e, i); k++)
      e->mode.active[contact_inequality_constraint(e, i)->stick[k]] = false;
  }
}

// the side that relieves the contacts, if their pressure alone holds the motion at jump i
static bool press(engine* e, int i)
{
  if (!contact_corner_jumps_here(e, i) || e->mode.held[i]) return false;
  if (contact_corner_accelerations(e) || !contact_corner_is_spanned(e, i, CONTACT_BY_PRESSURE))
    return false;
  const engine_stand stood = e->mode.standing[i];
  e->mode.standing[i] = ENGINE_APART;
  const bool pressed = contact_corner_is_pressed(e, i);
  if (!pressed) e->mode.standing[i] = stood;
  return pressed;
}

bool contact_press_jumps(engine* e)
{
  contact_inequalities* u = e->unilateral;
  const int candidates = u->candidates;
  // accelerations make a list of their own
  int* kept = base_alloc(sizeof(int) * (size_t)(candidates + 1));
  memcpy(kept, u->candidate, sizeof(int) * (size_t)candidates);
  bool any = false;
  for (int i = 0; i < e->program->modes.count; i++) any = press(e, i) || any;
  memcpy(u->candidate, kept, sizeof(int) * (size_t)candidates);
  u->candidates = candidates;
  free(kept);
  if (any) begin_again(e);
  return any;
}
