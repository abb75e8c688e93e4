// Open inequalities that stand still at their limit: what else holds there, as dry friction at
// rest, a contact that sticks or a constraint, keeps them from moving, so that they neither close
// nor open until that lets go.
//
// Their gap has a rate that is made of what is held at zero, f' = sum c_i s_i, s_i being the slips
// at jumps that hold the motion and the velocity levels of constraints. Steps keep these to their
// tolerance only, and the gap is what that adds up to: its sign means nothing. So it is not asked
// for, and the states are put back on the limit, as they are on constraints.
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// what is held at zero: gradients in the velocities, and values
typedef struct held
{
  int rows;
  double *row, *value;
} held;

static bool any(int n, const double* x)
{
  for (int j = 0; j < n; j++)
    if (x[j] != 0) return true;
  return false;
}

// Of every jump the slopes of s' by what is in `by`, accelerations or velocities, as differences
// from where these are zero: it is linear in them.
static void read_slopes(engine* e, double* by, double* slope)
{
  const int n = e->n, corners = e->program->modes.count;
  const double* rate = e->work.switching + corners;
  double* kept = base_alloc(sizeof(double) * (size_t)(n + corners));
  memcpy(kept, by, sizeof(double) * (size_t)n);
  memset(by, 0, sizeof(double) * (size_t)n);
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  memcpy(kept + n, rate, sizeof(double) * (size_t)corners);
  for (int j = 0; j < n; j++) {
    by[j] = 1;
    code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
    for (int k = 0; k < corners; k++) slope[k * n + j] = rate[k] - kept[n + k];
    by[j] = 0;
  }
  memcpy(by, kept, sizeof(double) * (size_t)n);
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  free(kept);
}

// Jumps that hold the motion: s by its velocities, which are the slopes of s' in the accelerations.
// Where it has none, as a place, and is held with its rate, that rate by its velocities.
static void add_jumps(engine* e, held* h)
{
  const int n = e->n, corners = e->program->modes.count;
  double *slope = base_alloc(sizeof(double) * (size_t)(2 * corners * n)),
         *turn = slope + corners * n;
  read_slopes(e, e->a, slope);
  if (e->mode.twice_count) read_slopes(e, e->v, turn);
  for (int k = 0; k < corners; k++) {
    if (!e->mode.held[k]) continue;
    const bool place = e->mode.twice[k] && !any(n, slope + k * n);
    const double* row = (place ? turn : slope) + k * n;
    if (!any(n, row)) continue;
    memcpy(h->row + h->rows * n, row, sizeof(double) * (size_t)n);
    h->value[h->rows++] = e->work.switching[place ? corners + k : k];
  }
  free(slope);
}

// levels evaluated
static held read_held(engine* e)
{
  const int n = e->n, most = e->mode.rows + e->mode.held_count;
  held h = {.row = base_alloc(sizeof(double) * (size_t)(most * (n + 1) + 1))};
  h.value = h.row + most * n;
  for (int r = 0; r < e->mode.rows; r++) {
    const int k = e->mode.row[r];
    if (e->model->constraint[k].order > 1) continue;
    memcpy(h.row + h.rows * n, e->LA + k * n, sizeof(double) * (size_t)n);
    h.value[h.rows++] = e->f1[k];
  }
  if (e->mode.held_count) add_jumps(e, &h);
  return h;
}

static double length_of(const engine* e, const double* row)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum += row[j] * e->work.weight[j] * (row[j] * e->work.weight[j]);
  return sqrt(sum);
}

// Is the rate of inequality i made of what is held, here and in its slopes?
static bool is_made_of(engine* e, int i, const held* h)
{
  const int n = e->n, k = e->unilateral->of[i];
  const double *row = e->LA + k * n, length = length_of(e, row);
  if (!h->rows || !(length > 0)) return false;
  num_null* null = num_null_new(h->rows, n);
  double* c = base_alloc(sizeof(double) * (size_t)h->rows);
  num_null_weigh(null, e->work.weight);
  num_null_factor(null, h->rows, n, h->row, engine_redundant);
  bool made = num_null_solve_t(null, h->row, row, c) <= engine_redundant * length;
  double left = e->f1[k];
  for (int r = 0; r < h->rows; r++) left -= c[r] * h->value[r];
  engine_scales_see(e, e->q, e->v, NULL);
  made = made && fabs(left) <= engine_noise_kick * engine_scale_speed(e, row);
  num_null_free(null);
  free(c);
  return made;
}

// levels evaluated
static bool is_at_limit(engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  const int order = contact_inequality_constraint(e, i)->order;
  if (!u->present[i] || u->both[i] || u->apart[i] || e->mode.active[u->of[i]] || order > 1)
    return false;
  const double gap = order ? 0 : contact_inequality_gap(e, i);
  return fabs(gap) <= engine_noise_gap * contact_inequality_length(e, i) &&
         fabs(contact_inequality_rate(e, i)) <= engine_noise_speed * contact_inequality_speed(e, i);
}

void contact_still_forget(engine* e)
{
  if (!e->mode.still_count) return;
  memset(e->mode.still, 0, (size_t)e->m);
  e->mode.still_count = 0;
}

// those of `still` that are
static void keep(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  const held h = read_held(e);
  e->mode.still_count = 0;
  for (int i = 0; i < u->count; i++) {
    bool* still = &e->mode.still[u->of[i]];
    *still = *still && is_made_of(e, i, &h);
    e->mode.still_count += *still;
  }
  free(h.row);
}

void contact_still_find(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  bool some = false;
  // of many coordinates there are no rows to be looked at
  if (!u || e->sparse || e->by_impulses || e->in_flight) return;
  contact_still_forget(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  for (int i = 0; i < u->count; i++) {
    e->mode.still[u->of[i]] = is_at_limit(e, i);
    some = some || e->mode.still[u->of[i]];
  }
  if (some) keep(e);
}

void contact_still_look(engine* e)
{
  if (!e->mode.still_count) return;
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  keep(e);
}

bool contact_is_still(const engine* e, int i)
{
  return e->mode.still_count && e->mode.still[e->unilateral->of[i]];
}
