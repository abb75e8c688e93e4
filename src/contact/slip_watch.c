// What tells during a step that a contact goes on sticking or slipping.
#include "contact/beside.h"
#include "contact/contact.h"

#include <math.h>
#include <string.h>

bool contact_slip_is_watched(const engine* e, int i)
{
  e = contact_inequality_place(e, &i);
  const contact_inequalities* u = e->unilateral;
  if (!u->rough || !e->mode.active[u->of[i]] || !contact_slip_count(e, i)) return false;
  return u->starts[i] || (u->mode[i] == CONE_CONTACT_STICK && !contact_is_redundant(e));
}

// acceleration of the slip along itself, by e->a, and the size of all of it
double contact_slip_growth(const engine* e, int i, double* whole)
{
  const model_constraint* c = contact_inequality_constraint(e, i);
  const double* out = e->work.slip_out + e->unilateral->slip[i];
  double along = 0;
  *whole = 0;
  for (int k = 0; k < 2; k++) {
    double alpha = -e->c[c->stick[k]];
    for (int j = 0; j < e->n; j++) alpha += e->A[c->stick[k] * e->n + j] * e->a[j];
    along += alpha * out[1 + k * (e->n + 1)];
    *whole = hypot(*whole, alpha);
  }
  return along / contact_slip_size(e, i);
}

// What begins to slip is held as if it rested, friction against its acceleration, which is along
// its slip: until it has come so far, or the acceleration no longer is. Above zero while both last;
// a product is as smooth as its factors.
static double beginning(const engine* e, int i)
{
  const double size = contact_slip_size(e, i), on_its_way = 1 - size / contact_slip_begun(e, i);
  // along a slip that is nothing yet lies all of it
  double whole, rate = contact_slip_growth(e, i, &whole);
  if (!(size > engine_slip_stops * contact_slip_scale(e, i))) rate = whole;
  return on_its_way * (rate / contact_slip_acceleration(e, i) - 10 * engine_noise_force);
}

bool contact_slip_is_turned(engine* e)
{
  const contact_inequalities* u = e->unilateral;
  bool any = false;
  if (!u->rough || !u->starting) return false;
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  for (int i = 0; i < u->count && !any; i++) {
    // jumps that were decided behind the contacts may hold what was to slip
    const bool slips = contact_slip_size(e, i) > engine_slip_stops * contact_slip_scale(e, i);
    any = u->starts[i] && (slips || u->beside) && beginning(e, i) < 0;
  }
  return any;
}

// of one engine whose instant is set, the slips evaluated, and the accelerations
static double watched_value(const engine* e, int i)
{
  const contact_inequalities* u = e->unilateral;
  const model_constraint* c = contact_inequality_constraint(e, i);
  if (u->starts[i]) return beginning(e, i);
  double T = 0;
  for (int k = 0; k < contact_slip_count(e, i); k++) T = hypot(T, e->lambda[c->stick[k]]);
  const double N = u->sign[i] * e->lambda[u->of[i]],
               most = e->work.slip_out[u->slip[i]] * (u->both[i] ? fabs(N) : fmax(0, N));
  return T > 0 || most > 0 ? (most * most - T * T) / fmax(T * T, most * most) : 1;
}

static double watch_in_part(engine* e, int i)
{
  engine* x = contact_parts_enter(e, &i);
  return contact_slip_watch(x, i);
}

double contact_slip_watch(engine* e, int i)
{
  if (e->parts) return watch_in_part(e, i);
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  if (contact_accelerations(e)) return NAN;
  return watched_value(e, i);
}

// those of one engine whose instant is set, each into the place `at` names; null: its own number
static void watches_of(engine* e, const int* at, double* value)
{
  const contact_inequalities* u = e->unilateral;
  bool any = false;
  for (int i = 0; i < u->count; i++) any = any || contact_slip_is_watched(e, i);
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  const bool failed = any && contact_accelerations(e);
  for (int i = 0; i < u->count; i++)
    if (contact_slip_is_watched(e, i)) value[at ? at[i] : i] = failed ? NAN : watched_value(e, i);
}

void contact_slip_watches(engine* e, double* value)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++) value[i] = 1;
  if (!e->parts) watches_of(e, NULL, value);
  for (int p = 0; p < e->parts; p++) {
    bool any = false;
    for (int i = 0; i < u->count && e->part[p].e->unilateral; i++) {
      if (u->part[i] != p) continue;
      any = any || contact_slip_is_watched(e, i);
    }
    if (any) watches_of(engine_part_enter(e, p), e->part[p].e->unilateral->whole, value);
  }
}

int contact_slip_loose(engine* e, int which, double* alpha)
{
  contact_inequalities* u = e->unilateral;
  const int count = contact_slip_active(e), t = u->tangents;
  const cone_contact_result x = contact_slip_solve(e, count, u->candidate, false, true);
  if (!x.count) return -1;
  const cone_contact_solution* s = &x.solution[0];
  memcpy(u->w, s->w, sizeof(double) * (size_t)e->n);
  contact_inequality_see_forces(e);
  bool jumps = false;
  const double jump = u->beside ? contact_beside_rate(e, count, s, &jumps) : 0;
  for (int r = 0; r < count; r++) {
    const int i = u->candidate[r];
    double rate = 0, scale = 0;
    for (int k = 0; k < t; k++) {
      rate = hypot(rate, s->alpha_T[r * t + k]);
      scale = fmax(scale, engine_scale_acceleration(e, u->T + (r * t + k) * e->n));
    }
    const bool sticks = u->mode[i] == CONE_CONTACT_STICK && contact_slip_count(e, i);
    const double opens = s->alpha_N[r] / contact_inequality_norm(e, e->A, u->of[i]);
    *alpha = fmax(jump, sticks && rate > opens ? rate : opens);
    const bool moves = jumps || s->alpha_N[r] > contact_inequality_least_acceleration(e, i) ||
                       (sticks && rate > 10 * engine_noise_force * scale);
    if (which < 0 ? moves : i == which) return i;
  }
  return -1;
}

static double speed_in_part(engine* e, int i)
{
  engine* x = contact_parts_enter(e, &i);
  return contact_slip_speed(x, i);
}

double contact_slip_speed(engine* e, int i)
{
  if (e->parts) return speed_in_part(e, i);
  const contact_inequalities* u = e->unilateral;
  if (!u->rough || contact_slip_count(e, i) != 2 || !e->mode.active[u->of[i]] || u->starts[i] ||
      u->mode[i] == CONE_CONTACT_STICK)
    return 0;
  code_run(e->program->slips, e->in, e->work.slip_out, e->work.scratch);
  return contact_slip_size(e, i);
}

bool contact_slip_in_space(engine* e, int i, double slip[2])
{
  if (!(contact_slip_speed(e, i) > 0)) return false;
  e = contact_inequality_place(e, &i);
  const double* out = e->work.slip_out + e->unilateral->slip[i];
  for (int k = 0; k < 2; k++) slip[k] = out[1 + k * (e->n + 1)];
  return true;
}

bool contact_slip_has_stopped(engine* e, int i, double exact)
{
  const double speed = contact_slip_speed(e, i),
               least = fmin(engine_slip_inexact * exact, engine_slip_left_off * engine_slip_begun);
  e = contact_inequality_place(e, &i);
  return speed > 0 && speed <= fmax(engine_slip_stops, least) * contact_slip_scale(e, i);
}

bool contact_slip_goes_on(engine* e, int i)
{
  const double speed = contact_slip_speed(e, i);
  e = contact_inequality_place(e, &i);
  return speed > engine_slip_rests * contact_slip_scale(e, i);
}

double contact_slip_rate(const engine* e, int i)
{
  double whole;
  e = contact_inequality_place(e, &i);
  return contact_slip_growth(e, i, &whole);
}
