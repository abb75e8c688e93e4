// Who pays for the places at the end of a step.
//
// A group of bodies, joined by the rows that push, has a step from q, v to q+, v+ change its energy
// by
//   T(v+) - T(v) - G . (q+ - q) =: gained,
// G being the forces. That is what contacts do, P . (u + u+)/2, which they make negative, but for
// what a step gets wrong: it takes gaps for straight, and turning bodies keep for its length the
// inertia of its middle. For free bodies in fields without slopes, T and G . (q+ - q) are known to
// rounding: T is that of the spin in the axes of the body. For others the work of contacts is
// taken, to the order of the step.
//
// Lifting by d what overlaps adds the cost -G . d. It is paid by what contacts took in the step;
// where that is not enough, by the motion T+ of the group. What was gained is taken from that
// motion, too.
//
// Where that is not enough either, the group has come to rest and lies higher than it began with:
// the nearest places without overlap need not be those that it came from. But the start of the step
// has no overlap, and is always paid for: to go back there costs
//   G . (q+ - q) = T+ - T - gained,
// so that T+ - T <= T+ is owed in all. Between the lifted place and the start cost and, for small
// ways, gaps are linear; the group goes back by the least share of the way that is paid for. No
// energy is made out of nothing. What is led, by walls or by equations that move with time, gets
// its energy from there, and may find no place where it was: it is left as it is.
#include "walk/moreau.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// of a group: a row pushes it, something that is led has a part in it, its gain is not known but by
// its rows
enum { pushed = 1, is_led = 2, by_rows = 4 };

// ---- what is led --------------------------------------------------------------------------------

// is this rate other than zero where nothing moves?
static bool moves_alone(const engine* e, expr rate, const expr* still)
{
  expr out = rate;
  if (rate == EXPR_NONE) return false;
  expr_substitute_all(e->s->pool, 1, &rate, e->n, e->s->v, still, &out);
  return out != expr_int(e->s->pool, 0);
}

static void find_led(walk_moreau* s)
{
  engine* e = s->e;
  expr* still = base_alloc(sizeof(expr) * (size_t)(e->n + 1));
  for (int i = 0; i < e->n; i++) still[i] = expr_int(e->s->pool, 0);
  for (int k = 0; k < s->m; k++) {
    const model_constraint* c = &e->model->constraint[k];
    if (walk_moreau_is_norm(s, k)) continue;
    s->led[k] = c->order == 2 || moves_alone(e, e->s->f1[k], still);
    for (int t = 0; t < c->slips && s->slip_of[k] >= 0; t++)
      s->led[s->m + s->slip_of[k] + t] = moves_alone(e, c->slip[t], still);
  }
  for (int i = 0; i < s->dries; i++)
    s->led[s->m + s->first_dry + i] = moves_alone(e, s->dry_slip[i], still);
  free(still);
}

// Forces that depend on anything that changes do so within a step, and so does inertia: its terms
// in the forces show it. But for the turn of a body itself, if no frame is led that it turns in.
void walk_moreau_know_forces(walk_moreau* s, const expr* G)
{
  const engine* e = s->e;
  const expr_pool* p = e->s->pool;
  s->changes = base_arena_take(e->arena, (size_t)s->n + 1);
  for (int i = 0; i < s->n; i++)
    s->changes[i] = e->s->change || expr_has(p, e->s->h[i], e->model->t) ||
                    expr_has(p, G[i], e->model->t) || expr_has_any(p, G[i], e->n, e->s->v) ||
                    expr_has_any(p, G[i], e->m, e->model->reaction);
}

static void find_tied(walk_moreau* s)
{
  bool* turns = base_alloc((size_t)s->n + 1);
  for (int k = 0; k < s->m; k++)
    for (int p = s->A.start[k]; p < s->A.start[k + 1] && walk_moreau_is_norm(s, k); p++)
      turns[s->A.column[p]] = true;
  for (int k = 0; k < s->K.count; k++) s->tied[s->block_of[s->K.i[k]]] = by_rows;
  for (int k = 0; k < s->C.count; k++)
    if (!turns[s->C.i[k]] || !turns[s->C.j[k]]) s->tied[s->block_of[s->C.i[k]]] = by_rows;
  for (int i = 0; i < s->n; i++)
    if (s->changes[i]) s->tied[s->block_of[i]] = by_rows;
  free(turns);
}

void walk_moreau_new_groups(walk_moreau* s)
{
  base_arena* a = s->e->arena;
  const size_t blocks = (size_t)s->blocks + 1;
  double** sums[] = {&s->gained, &s->cost, &s->back, &s->had, &s->has};
  for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
    *sums[i] = base_arena_take(a, sizeof(double) * blocks);
  s->group = base_arena_take(a, sizeof(int) * blocks);
  s->tie = base_arena_take(a, blocks);
  s->tied = base_arena_take(a, blocks);
  s->spin = base_arena_take(a, sizeof(double) * (size_t)(2 * s->n + 1));
  find_tied(s);
  s->led = base_arena_take(a, (size_t)(s->m + s->T.count) + 1);
  find_led(s);
}

// ---- spin ---------------------------------------------------------------------------------------

// Without a torque the energy of turning stays. The step solves for the change of the spin with one
// turn of Newton's method, and is off by (h omega)^3 of it: the spin is made longer or shorter by
// as much. Rates and their change belong to the middle of the step, as its inertia does.
void walk_moreau_keep_spin(walk_moreau* s, const double* rate, double* change)
{
  double *torque = s->back, *had = s->had, *has = s->has;
  for (int b = 0; b < s->blocks; b++) torque[b] = had[b] = has[b] = 0;
  for (int i = 0; i < s->n; i++) torque[s->block_of[i]] += fabs(s->pull[i]);
  for (int k = 0; k < s->M.count; k++) {
    const int i = s->M.i[k], j = s->M.j[k], b = s->block_of[i];
    had[b] += rate[i] * s->M.value[k] * rate[j];
    has[b] += (rate[i] + change[i]) * s->M.value[k] * (rate[j] + change[j]);
  }
  for (int i = 0; i < s->n; i++) {
    const int b = s->block_of[i];
    if (torque[b] > 0 || s->tied[b] || !(had[b] > 0) || !(has[b] > 0)) continue;
    change[i] = sqrt(had[b] / has[b]) * (rate[i] + change[i]) - rate[i];
  }
}

// ---- groups -------------------------------------------------------------------------------------

static int root(const walk_moreau* s, int b)
{
  while (s->group[b] != b) b = s->group[b] = s->group[s->group[b]];
  return b;
}

static bool leads(const walk_moreau* s, const walk_row* r)
{
  if (r->of >= walk_moreau_first_touch(s)) return r->drift != 0;
  return r->of < s->m + s->T.count && s->led[r->of];
}

void walk_moreau_join_groups(walk_moreau* s)
{
  for (int row = 0; row < s->rows; row++) {
    const walk_row* r = &s->row[row];
    const bool equal = s->kind[row] == CONE_MANY_EQUAL;
    if (!r->count || (s->x[row] == 0 && !equal)) continue;
    const int first = s->block_of[r->column[0]];
    for (int p = 1; p < r->count; p++)
      s->group[root(s, s->block_of[r->column[p]])] = root(s, first);
    s->tie[first] |= (equal ? 0 : pushed) | (leads(s, r) ? is_led : 0);
    if (equal && !walk_moreau_is_norm(s, r->of)) s->tie[first] |= by_rows;
  }
}

bool walk_moreau_find_groups(walk_moreau* s)
{
  const int first_touch = walk_moreau_first_touch(s);
  bool any = false;
  for (int b = 0; b < s->blocks; b++) {
    s->group[b] = b;
    s->gained[b] = 0;
    s->tie[b] = s->tied[b];
  }
  walk_moreau_join_groups(s);
  for (int row = 0; row < s->rows; row++) {
    const walk_row* r = &s->row[row];
    const bool dry = r->of >= s->m + s->first_dry && r->of < first_touch;
    // what leads accelerations does work
    const bool works = r->of < s->m && s->e->model->constraint[r->of].order == 2;
    if (s->kind[row] == CONE_MANY_EQUAL || dry || works || !r->count) continue;
    const double u = walk_moreau_along(s, row, s->v) + walk_moreau_along(s, row, s->v_end);
    s->gained[root(s, s->block_of[r->column[0]])] += s->x[row] * (u / 2 + r->drift);
    any = any || s->x[row] != 0;
  }
  return any;
}

// the energy of motion with velocities v at the places q, with the inertia of the middle of the
// step, where quaternions are on the way from the start
static void add_motion(const walk_moreau* s, const double* q, const double* v, double* sum)
{
  const double* middle = s->spin;
  double* w = s->spin + s->n;
  memcpy(w, v, sizeof(double) * (size_t)s->n);
  walk_moreau_carry(s, q, middle, w);
  for (int k = 0; k < s->M.count; k++)
    sum[root(s, s->block_of[s->M.i[k]])] += w[s->M.i[k]] * s->M.value[k] * w[s->M.j[k]] / 2;
}

static void sum_motion(walk_moreau* s)
{
  for (int i = 0; i < s->n; i++) s->spin[i] = s->q[i] + s->h / 2 * s->v[i];
  walk_moreau_unit(s, s->spin);
  add_motion(s, s->q, s->v, s->had);
  add_motion(s, s->q_end, s->v_end, s->has);
}

// sums of the groups, at their roots
static void sum_groups(walk_moreau* s)
{
  for (int b = 0; b < s->blocks; b++) s->cost[b] = s->back[b] = s->had[b] = s->has[b] = 0;
  for (int b = 0; b < s->blocks; b++) {
    const int to = root(s, b);
    if (to == b) continue;
    s->gained[to] += s->gained[b];
    s->gained[b] = 0;
    s->tie[to] |= s->tie[b];
  }
  for (int i = 0; i < s->n; i++) {
    const int g = root(s, s->block_of[i]);
    s->cost[g] -= s->pull[i] * s->dv[i];
    s->back[g] += s->pull[i] * (s->q_look[i] - s->q[i]);
  }
  sum_motion(s);
  for (int b = 0; b < s->blocks; b++)
    if (s->tie[b] == pushed) s->gained[b] = s->has[b] - s->had[b] - s->back[b];
}

// energy that is nothing beside that of a fall in one step is none
static double nothing(const walk_moreau* s)
{
  return engine_moreau_rest * engine_moreau_rest * s->fall;
}

bool walk_moreau_owe(walk_moreau* s)
{
  sum_groups(s);
  for (int b = 0; b < s->blocks; b++)
    if (s->cost[b] + s->gained[b] > nothing(s)) return true;
  return false;
}

// ---- the way back -------------------------------------------------------------------------------

// of the way to the start
static double share_back(const walk_moreau* s, int g)
{
  const double left = s->cost[g] + s->gained[g] - s->has[g], saved = s->cost[g] - s->back[g];
  if (s->tie[g] & is_led || !(saved > 0) || !(left > nothing(s))) return 0;
  return fmin(1, left / saved);
}

bool walk_moreau_go_back(walk_moreau* s)
{
  bool any = false;
  sum_groups(s);
  for (int i = 0; i < s->n; i++) {
    const double share = share_back(s, root(s, s->block_of[i]));
    if (share > 0) s->q_end[i] += share * (s->q[i] - s->q_end[i]);
    any = any || share > 0;
  }
  if (!any) return false;
  walk_moreau_meet_norms(s);
  for (int i = 0; i < s->n; i++) s->dv[i] = s->q_end[i] - s->q_look[i];
  return true;
}

void walk_moreau_pay(walk_moreau* s)
{
  double all = 0;
  sum_groups(s);
  for (int b = 0; b < s->blocks; b++) {
    const double owed = s->cost[b] + s->gained[b];
    all += owed > 0 ? fmax(0, owed - s->has[b]) : owed;
  }
  s->unpaid = fmax(0, all);
  for (int i = 0; i < s->n; i++) {
    const int g = root(s, s->block_of[i]);
    const double owed = s->cost[g] + s->gained[g], has = s->has[g];
    // what is left of a slip still has its direction, which the law of friction asks for
    if (owed > 0 && has > 0) s->v_end[i] *= fmax(DBL_EPSILON, sqrt(fmax(0, 1 - owed / has)));
  }
  walk_moreau_meet_norms(s);
}
