// Instants that accumulate, and contacts whose remaining impacts are taken together: what they
// still leave with is taken away.
//
// Instants t_k whose pauses d_k fall by a ratio r come to their limit at t_k + d_k r/(1 - r)
// (Aitken), whatever switches at them. A place that is off by a rounding moves an instant by that
// over its speed u_k, the more the nearer the limit, and speeds are not moved by it. So where they
// fall like the pauses, the ratio is theirs: d_(k+1) = p_k u_k, u_(k+1) = r_k u_k, and as the
// motion is smooth behind its limit, p and r differ from their own limits by what falls like the
// pauses, too: p_k = p + P r^k, r_k = r + R r^k, both known from two of them. To first order in P
// and R the time left is
//   u (p/(1 - r) + P r/(1 - r^2) + p R r/((1 - r) (1 - r^2))).
// Where speeds fall more slowly than the pauses, as of what is squeezed between two others, p
// falls, too, and the pauses alone tell. Their ratios go to their own limit by parts of a ratio s
// of its own, r_k = r + R s^k, all known from three of them, and to first order in R what is left
// is
//   d (r + R s/(1 - r s))/(1 - r).
//
// Two contacts that take turns, as a ball between a wall and a mass that is pressed to it, may have
// pauses whose ratios go to and fro for ever, while each is the same part q of the one two before:
// (d_(k-1) + d_k) q/(1 - q) are left then.
//
// A contact that leaves with the speed u comes to rest after impacts of (1 + e) u/(1 - e) in all,
// per mass, in the time 2 u/(g (1 - e)). Held for that time it presses with 2 u/(1 - e): the
// impulse -u that stops it completes the sum. Friction is in proportion, so it goes with that
// impulse, too, along the slip.
#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// of the directions of slip
enum { most_turns = 30 };

// of 1 - r: to this the ratios of two pauses agree where they have settled
static const double settled = 0.05;
// a ratio nearer to one tells nothing of the limit; below the other the next pause is all but
// nothing
static const double most_ratio = 0.9999, at_once = 0.01;
// of the time left: as long by speeds as by pauses
static const double agreed = 0.5;

void contact_accumulation_forget(contact_accumulation* a)
{
  *a = (contact_accumulation){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, 0};
}

// Does the ratio of speeds go to its limit as that of a smooth motion does, by ever less to one
// side? That of contacts which take turns goes to and fro.
static bool settles(const contact_accumulation* last, const contact_accumulation* now)
{
  const double change = fabs(now->change);
  if (change <= engine_speeds_settled * (1 - now->slower)) return true;
  return now->change * last->change > 0 && change < fabs(last->change);
}

// the time left by speeds, from one instant to the next; nan where they do not fall like the pauses
static double by_speeds(const contact_accumulation* last, const contact_accumulation* now,
                        double blur)
{
  if (!(now->slower < (1 + now->ratio) / 2) || !settles(last, now)) return NAN;
  const double next = now->slower / (1 - now->slower),
               r = now->slower + (now->slower - last->slower) * next, R = now->slower - r;
  if (!(r > 0 && r < most_ratio && fabs(R) <= settled)) return NAN;
  const double change = last->per_speed - now->per_speed,
               unknown = 2 * blur / (now->speed * last->speed);
  const double P = fabs(change) > unknown ? change * r / (1 - r) : 0, p = now->per_speed - P;
  if (!(fabs(P) <= settled * p)) return NAN;
  return now->speed * (p + (P * r + p * R * r / (1 - r)) / (1 + r)) / (1 - r);
}

// the ratio of the pauses before the last two
static double ratio_before(const contact_accumulation* last)
{
  return last->over_two / last->ratio;
}

// the time left by the pauses and how their ratios change, as far as instants tell
static double by_pauses(const contact_accumulation* last, const contact_accumulation* now,
                        double blur)
{
  const double change = now->ratio - last->ratio, s = change / (last->ratio - ratio_before(last)),
               unknown = 4 * blur / (now->speed * now->pause),
               r = now->ratio + change * s / (1 - s);
  if (!(s > 0 && s < 1 && fabs(change) > unknown && r > 0 && r < most_ratio))
    return now->pause * now->ratio / (1 - now->ratio);
  return now->pause * (r + (now->ratio - r) * s / (1 - r * s)) / (1 - r);
}

// The time left where ratios of pauses go to and fro and every pause is the same part q of the one
// two before it; 0 where it is not: what is left is known to the part to which q (1 - q) is.
static double by_turns(const contact_accumulation* last, const contact_accumulation* now)
{
  const double q = now->over_two;
  const bool to_and_fro = (now->ratio - last->ratio) * (last->ratio - ratio_before(last)) < 0;
  if (now->turns < 2 || !(q < most_ratio) || !to_and_fro) return 0;
  if (fabs(q - last->over_two) > settled * q * (1 - q)) return 0;
  return (last->pause + now->pause) * q / (1 - q);
}

double contact_accumulation_note(contact_accumulation* a, double t, double speed, double blur)
{
  const contact_accumulation before = *a;
  const double pause = t - a->last, ratio = pause / a->pause, over_two = pause / a->earlier;
  // several that clatter may follow each other sooner by chance: the ratio must settle
  const bool same = fabs(ratio - a->ratio) <= settled * (1 - ratio);
  const long count = pause > 0 && ratio < 1 ? a->count + 1 : 0;
  const long turns = pause > 0 && over_two < 1 ? a->turns + 1 : 0;
  const double slower = speed / a->speed;
  *a = (contact_accumulation){t,        pause,
                              ratio,    speed,
                              slower,   pause / a->speed,
                              NAN,      a->pause,
                              over_two, slower - a->slower,
                              count,    turns};
  // a blow from elsewhere may leave a short pause by chance, and no speed as small
  const bool known = count >= 2 && same && ratio < most_ratio,
             soon = count >= 1 && ratio < at_once && !(a->slower > 2 * at_once);
  if (!known && !soon) {
    const double left = by_turns(&before, a);
    if (left > 0) a->limit = t + left;
    return left;
  }
  const double pauses = by_pauses(&before, a, blur), left = by_speeds(&before, a, blur);
  const double best = fabs(left - pauses) <= agreed * pauses ? left : pauses;
  a->limit = t + best;
  return best;
}

// In the pause after the last one: until the limit where that is known, else as if the next ones
// were slower as the last one was.
double contact_accumulation_left(const contact_accumulation* a, double t)
{
  if (a->limit > t) return a->limit - t;
  const double next = a->per_speed * a->speed, left = a->last + next / (1 - a->slower) - t;
  return a->count >= 1 && a->slower < most_ratio && t < a->last + next && left > 0 ? left : 0;
}

bool contact_accumulation_is_with(const contact_accumulation* a, const contact_accumulation* b)
{
  return b->count >= 2 && fabs(b->ratio - a->ratio) <= settled * (1 - a->ratio) &&
         fabs(b->last - a->last) < fmin(a->pause, b->pause);
}

bool contact_accumulation_ends_with(const contact_accumulation* a, const contact_accumulation* b)
{
  return contact_accumulation_is_with(a, b) && fabs(b->limit - a->limit) <= a->limit - a->last;
}

// does row k hold against slip?
static bool grips(const engine* e, int k)
{
  return e->model->constraint[k].sticks && e->mode.active[k];
}

void contact_accumulation_impulses(engine* e, int count, const int* row, const double* before,
                                   const double* given, double* P)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, bilateral = contact_inequality_bilateral(e, true, true);
  int rows = count + bilateral;
  double* A = base_alloc(sizeof(double) * (size_t)((rows + e->m) * (n + 1) + n));
  double *g = A + (rows + e->m) * n, *y = g + n;
  for (int r = 0; r < count; r++) {
    contact_inequality_row(e, row[r], true, r);
    memcpy(A + r * n, u->N + r * n, sizeof(double) * (size_t)n);
  }
  memcpy(A + count * n, u->NB, sizeof(double) * (size_t)(bilateral * n));
  for (int k = 0; k < e->m; k++)
    if (grips(e, k)) memcpy(A + rows++ * n, e->LA + k * n, sizeof(double) * (size_t)n);
  for (int i = 0; i < n; i++) {
    g[i] = given ? -given[i] : 0;
    for (int j = 0; j < n; j++) g[i] += e->M[i * n + j] * (e->v[j] - before[j]);
  }
  num_null* null = num_null_new(rows, n);
  num_null_factor(null, rows, n, A, engine_redundant);
  num_null_solve_t(null, A, g, y);
  memcpy(P, y, sizeof(double) * (size_t)count);
  num_null_free(null);
  free(A);
}

// the slip of the contact in row r, and what it is measured by; slips evaluated
static double slip_of(const engine* e, int r, double s[2], double* scale)
{
  const contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  double size = 0;
  *scale = s[0] = s[1] = 0;
  for (int k = 0; k < t; k++) {
    const double* T = u->T + (r * t + k) * n;
    s[k] = u->dT[r * t + k];
    for (int j = 0; j < n; j++) s[k] += T[j] * e->v[j];
    size = hypot(size, s[k]);
    *scale = fmax(*scale, engine_scale_speed(e, T));
  }
  return size;
}

// the generalised impulse of friction that goes with the impulses P of those that do not stick
static void rub(engine* e, int count, const int* row, const bool* sticks, const double* P,
                double* g)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  contact_slip_slips(e, count, row);
  for (int r = 0; r < count; r++) {
    double s[2], scale;
    const double size = slip_of(e, r, s, &scale);
    if (sticks[r] || size <= engine_noise_speed * scale) continue;
    for (int k = 0; k < t; k++)
      for (int j = 0; j < n; j++) g[j] -= u->mu[r] * P[r] * u->T[(r * t + k) * n + j] * s[k] / size;
  }
}

// the rows of those that stick hold their slip, or none does
static void hold_slips(engine* e, int count, const int* row, const bool* sticks, bool on)
{
  bool any = false;
  for (int r = 0; r < count; r++) {
    const int* stick = contact_inequality_constraint(e, row[r])->stick;
    for (int k = 0; k < contact_slip_count(e, row[r]) && sticks[r]; k++)
      any = true, e->mode.active[stick[k]] = on;
  }
  if (any) engine_rows(e);
}

void contact_accumulation_see(engine* e)
{
  contact_inequalities* u = e->unilateral;
  for (int p = 0; p < e->parts; p++) {
    if (!e->part[p].e->unilateral) continue;
    contact_accumulation_see(engine_part_enter(e, p));
    engine_part_leave(e, p);
  }
  if (e->parts || !u->tangents) return;
  int count = 0, *row = base_alloc(sizeof(int) * (size_t)(u->count + 1));
  for (int i = 0; i < u->count; i++)
    if (u->impulse[i] > 0 && contact_slip_count(e, i)) row[count++] = i;
  if (count) contact_slip_slips(e, count, row);
  for (int r = 0; r < count; r++) {
    double s[2], scale;
    u->gripped[row[r]] = slip_of(e, r, s, &scale) <= engine_noise_speed * scale;
  }
  free(row);
}

// Those that stuck by their last impact stick by all that follow, as pauses, speeds and what slip
// is gained meanwhile fall alike.
static void find_sticking(const engine* e, int count, const int* row, bool* sticks)
{
  for (int r = 0; r < count; r++)
    sticks[r] = contact_slip_count(e, row[r]) && e->unilateral->gripped[row[r]];
}

void contact_accumulation_hold(engine* e, const bool* closing)
{
  contact_inequalities* u = e->unilateral;
  bool* own = base_alloc((size_t)u->count + 1);
  for (int p = 0; p < e->parts; p++) {
    if (!contact_parts_touch(e, p, closing)) continue;
    contact_accumulation_hold(engine_part_enter(e, p), contact_parts_flags(e, p, closing, own));
    engine_part_leave(e, p);
  }
  free(own);
  if (e->parts) return;
  for (int i = 0; i < u->count; i++) {
    const int slips = u->rough ? contact_slip_count(e, i) : 0;
    const bool sticks = slips && u->gripped[i];
    // what slips on is held by the law of its slip where that presses
    if (!closing[i] || (slips && !sticks)) continue;
    e->mode.active[u->of[i]] = true;
    if (u->rough) u->mode[i] = CONE_CONTACT_STICK;
    if (!sticks) continue;
    for (int k = 0; k < slips; k++)
      e->mode.active[contact_inequality_constraint(e, i)->stick[k]] = true;
    u->starting -= u->starts[i];
    u->starts[i] = false;
  }
  engine_rows(e);
}

// from b, or of a itself
static double distance(const engine* e, const double* a, const double* b)
{
  double sum = 0;
  for (int j = 0; j < e->n; j++) sum = hypot(sum, e->work.unit[j] * (a[j] - (b ? b[j] : 0)));
  return sum;
}

// all contacts that close or are held, by one problem: those that slip rub against their slip
static int strike(engine* e, const bool* closing)
{
  contact_inequalities* u = e->unilateral;
  const int n = e->n, t = u->tangents;
  int count = 0, *row = base_alloc(sizeof(int) * (size_t)(u->count + 1));
  double* F = base_alloc(sizeof(double) * (size_t)(n + 1));
  for (int i = 0; i < u->count; i++)
    if (u->present[i] && !u->both[i] && (closing[i] || e->mode.active[u->of[i]]) &&
        contact_inequality_constraint(e, i)->order == 0)
      row[count++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) F[i] += e->M[i * n + j] * e->v[j];
  for (int r = 0; r < count; r++) contact_inequality_row(e, row[r], true, r);
  contact_slip_slips(e, count, row);
  for (int r = 0; r < count * t; r++) {
    const double* T = u->T + r * n;
    double slip = u->dT[r];
    for (int j = 0; j < n; j++) slip += T[j] * e->v[j];
    u->slip_now[r] = fabs(slip) > engine_noise_speed * engine_scale_speed(e, T) ? slip : 0;
  }
  cone_contact_problem p =
      contact_problem_of(e, contact_inequality_bilateral(e, true, true), count);
  p.F = F;
  p.slip = u->slip_now;
  cone_contact_result x = cone_contact_solve(u->contact, &p, false);
  p.slip = NULL;
  if (!x.count) x = cone_contact_solve(u->contact, &p, false);
  if (x.count) memcpy(e->v, x.solution[0].w, sizeof(double) * (size_t)n);
  free(F);
  free(row);
  return x.count ? 0 : engine_kick(e, NULL);
}

static int kick_parts(engine* e, const bool* closing)
{
  int failed = 0;
  bool* own = base_alloc((size_t)e->unilateral->count + 1);
  for (int p = 0; p < e->parts && !failed; p++) {
    if (!contact_parts_touch(e, p, closing)) continue;
    failed =
        contact_accumulation_kick(engine_part_enter(e, p), contact_parts_flags(e, p, closing, own));
    engine_part_leave(e, p);
  }
  free(own);
  return failed;
}

// The last impulses P of the contacts in `row`, and the friction that goes with them along the
// slips that are left:
//   P = P(0) + sum_r (P(D_r) - P(0)) P_r,
// P(g) the impulses that stop them beside a given one g, D_r the friction of a unit of P_r.
typedef struct last_impulses
{
  int count, *row;
  bool* sticks;
  double *before, *g, *D; // velocities; all friction, and that of a unit of each
  double *P, *P0, *B;
  int* pivot;
} last_impulses;

// stopped beside the impulse g; what that takes into P
static int stop_beside(engine* e, const last_impulses* l, const double* g, double* P)
{
  memcpy(e->v, l->before, sizeof(double) * (size_t)e->n);
  if (engine_kick(e, g)) return 1;
  engine_equations(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  contact_accumulation_impulses(e, l->count, l->row, l->before, g, P);
  return 0;
}

// The friction of a unit of each, against the slips at hand. The impulses together rub as much as
// they press: each may press the others, and itself, by more than it rubs.
static int rub_together(engine* e, const last_impulses* l)
{
  const int n = e->n, count = l->count;
  memset(l->D, 0, sizeof(double) * (size_t)(count * n));
  for (int r = 0; r < count; r++) {
    for (int i = 0; i < count; i++) l->P[i] = i == r;
    rub(e, count, l->row, l->sticks, l->P, l->D + r * n);
  }
  if (stop_beside(e, l, NULL, l->P0)) return 1;
  for (int r = 0; r < count; r++) {
    if (stop_beside(e, l, l->D + r * n, l->P)) return 1;
    for (int i = 0; i < count; i++) l->B[i * count + r] = (i == r) - (l->P[i] - l->P0[i]);
  }
  memcpy(l->P, l->P0, sizeof(double) * (size_t)count);
  if (!num_lu(count, l->B, l->pivot)) return 1;
  num_lu_solve(count, l->B, l->pivot, l->P);
  memset(l->g, 0, sizeof(double) * (size_t)n);
  for (int r = 0; r < count; r++)
    for (int j = 0; j < n; j++) l->g[j] += l->P[r] * l->D[r * n + j];
  memcpy(e->v, l->before, sizeof(double) * (size_t)n);
  return engine_kick(e, l->g);
}

// in space the slip may turn with that, and friction with it
static int find_last(engine* e, const last_impulses* l, double* g)
{
  double size = 0, way = INFINITY;
  for (int turn = 0; turn < most_turns && way > engine_noise_kick * size; turn++) {
    memcpy(g, l->g, sizeof(double) * (size_t)e->n);
    if (rub_together(e, l)) return 1;
    size = distance(e, l->g, NULL);
    way = distance(e, l->g, g);
  }
  return way > engine_endless * size;
}

int contact_accumulation_kick(engine* e, const bool* closing)
{
  contact_inequalities* u = e->unilateral;
  const size_t n = (size_t)e->n, most = (size_t)u->count + 1;
  if (e->parts) return kick_parts(e, closing);
  if (!u->tangents) return engine_kick(e, NULL);
  double* all = base_alloc(sizeof(double) * (3 * n + most * (n + most + 2)));
  last_impulses l = {.row = base_alloc(sizeof(int) * 2 * most), .sticks = base_alloc(most)};
  l.pivot = l.row + most;
  l.before = all;
  l.g = all + n;
  l.D = all + 3 * n;
  l.P = l.D + most * n;
  l.P0 = l.P + most;
  l.B = l.P0 + most;
  for (int i = 0; i < u->count; i++)
    if (closing[i]) l.row[l.count++] = i;
  memcpy(l.before, e->v, sizeof(double) * n);
  find_sticking(e, l.count, l.row, l.sticks);
  hold_slips(e, l.count, l.row, l.sticks, true);
  int failed = engine_kick(e, NULL);
  engine_equations(e);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  if (!failed && find_last(e, &l, all + 2 * n)) {
    memcpy(e->v, l.before, sizeof(double) * n);
    failed = strike(e, closing);
  }
  hold_slips(e, l.count, l.row, l.sticks, false);
  free(l.sticks);
  free(l.row);
  free(all);
  return failed;
}
