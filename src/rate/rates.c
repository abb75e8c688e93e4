// The table of rates: every way to evaluate y', and what a system and its mode must not ask for if
// it is to be taken. Who wants y' of one state, of eight, as a series or with twice the digits asks
// the table; the first that takes all is used.
#include "rate/rate.h"

// What a kernel that has the linear problem solved in it may be made of.
enum {
  most_coupled = 16,     // coordinates that M or A couple: it grows with their cube
  most_coordinates = 60, // of all
  most_operations = 3000 // of M, F, A and c
};

// ---- what is asked for --------------------------------------------------------------------------

// an entry of M beside the diagonal, or of A
static bool is_coupled(const engine* e, int i)
{
  const mech_system* s = e->s;
  for (int k = 0; k < e->n; k++)
    if (k != i && s->M[i > k ? i * e->n + k : k * e->n + i] != s->zero[0]) return true;
  for (int r = 0; r < e->m; r++)
    if (s->A[r * e->n + i] != s->zero[0]) return true;
  return false;
}

static bool is_large(const engine* e)
{
  int coupled = 0;
  if (e->sparse || e->n > most_coordinates || code_operations(e->program->eom) > most_operations)
    return true;
  for (int i = 0; i < e->n; i++) coupled += is_coupled(e, i);
  return coupled > most_coupled;
}

// what stands in a list of M, F, A or c that one linear problem has no place for
static engine_features of_list(const engine* e, int count, const expr* list)
{
  const expr_pool* pool = e->s->pool;
  engine_features f = 0;
  for (int i = 0; i < count; i++) {
    if (expr_has_any(pool, list[i], e->n, e->s->a)) f |= ENGINE_BY_ACCELERATIONS;
    if (expr_has_any(pool, list[i], e->m, e->model->reaction)) f |= ENGINE_BY_REACTIONS;
  }
  return f;
}

static engine_features of_equations(const engine* e)
{
  const mech_system* s = e->s;
  const int n = e->n, m = e->m;
  // of many coordinates nothing else is asked
  if (e->sparse) return 0;
  engine_features f =
      of_list(e, n * n, s->M) | of_list(e, n, s->F) | of_list(e, m * n, s->A) | of_list(e, m, s->c);
  for (int k = 0; k < m; k++) {
    if (mech_is_nonlinear(s, k)) f |= ENGINE_CURVED;
    if (!engine_is_ideal(e, k)) f |= ENGINE_CONTROLS;
    if (e->model->constraint[k].during) f |= ENGINE_WHILE;
  }
  return f;
}

static engine_features of_system(const engine* e)
{
  const model* m = e->model;
  engine_features f = of_equations(e);
  for (int i = 0; i < m->events; i++)
    if (m->event[i].action == MODEL_CHANGE) f |= ENGINE_CHANGES;
  if (m->stages) f |= ENGINE_STAGES;
  if (e->p) f |= ENGINE_PARAMS;
  if (e->unilateral || e->by_impulses) f |= ENGINE_INEQUALITIES;
  if (e->program->modes.count) f |= ENGINE_CORNERS;
  if (is_large(e)) f |= ENGINE_LARGE;
  return f;
}

engine_features rate_features(engine* e)
{
  const engine_mode* m = &e->mode;
  if (!e->features_known) {
    base_kept_lock(e->s->kept);
    e->features = of_system(e);
    base_kept_unlock(e->s->kept);
  }
  e->features_known = true;
  return e->features | contact_ways_features(e) |
         (m->second_order ? ENGINE_HOLDS_ACCELERATIONS : 0u) |
         (m->all_linear ? 0u : ENGINE_HOLDS_NONLINEAR) |
         (m->implied_count ? ENGINE_HOLDS_IMPLIED : 0u) |
         (m->rows && e->margin < rate_near_singular ? ENGINE_NEAR_SINGULAR : 0u);
}

engine_features rate_lasting_features(engine* e)
{
  return rate_features(e) & ~(engine_features)ENGINE_HOLDS_JUMP;
}

// ---- the table ----------------------------------------------------------------------------------

static int fused_one(rate_flow* f, double t, const double* y, double* dy)
{
  return f->fused && rate_fused_rates(f->fused, f->e, t, y, dy) ? 0 : RATE_ELSEWHERE;
}

// beside series only: Gauss's method puts its stages side by side
static int direct_one(rate_flow* f, double t, const double* y, double* dy)
{
  return f->series && f->abreast && rate_lanes_rates(f->abreast, t, y, dy) ? 0 : RATE_ELSEWHERE;
}

static int direct_series(rate_flow* f, const double* y, int order, double* c)
{
  return f->series->direct && rate_series_direct_expand(f, y, order, c) ? 0 : RATE_ELSEWHERE;
}

// what is not finite in machine code may begin at a corner: jets look further
static int native_series(rate_flow* f, const double* y, int order, double* c)
{
  rate_series* s = f->series;
  return s->native && rate_series_native_expand(s, y, order, c) ? 0 : RATE_ELSEWHERE;
}

enum {
  // one kernel without corners: these only change its inputs
  inputs = ENGINE_STAGES | ENGINE_CHANGES | ENGINE_PARAMS | ENGINE_HOLDS_PARTS,
  // twice the digits: all that has one linear problem throughout
  linear = ENGINE_LARGE | ENGINE_HOLDS_ACCELERATIONS | ENGINE_HOLDS_NONLINEAR | ENGINE_HOLDS_PARTS |
           ENGINE_NEAR_SINGULAR,
  series = inputs | linear | ENGINE_INEQUALITIES | ENGINE_CORNERS | ENGINE_HOLDS_IMPLIED
};

const rate_way rate_table[RATES] = {
    [RATE_FUSED] = {"one kernel", inputs | ENGINE_CORNERS, .one = fused_one},
    [RATE_DIRECT] = {"kernel of series", inputs, .one = direct_one, .series = direct_series},
    [RATE_GENERAL] = {"general", ENGINE_EVERY_FEATURE, .one = rate_flow_general},
    [RATE_LANES] = {"lanes", inputs | ENGINE_NEAR_SINGULAR, .eight = rate_lanes_evaluate},
    [RATE_RECURRENCE] = {"recurrence", series, .series = native_series},
    [RATE_JETS] = {"jets", series, .series = rate_series_jets},
    [RATE_WIDE] = {"double-double", linear, .twice = rate_wide_expand},
};

static bool has(const rate_way* r, rate_form form)
{
  return form == RATE_ONE      ? r->one != NULL
         : form == RATE_EIGHT  ? r->eight != NULL
         : form == RATE_SERIES ? r->series != NULL
                               : r->twice != NULL;
}

const char* rate_refusal(rate_form form, engine_features asked)
{
  const char* reason = NULL;
  for (int i = 0; i < RATES; i++) {
    const rate_way* r = &rate_table[i];
    if (!has(r, form)) continue;
    if (rate_takes(r, asked)) return NULL;
    reason = engine_features_reason(asked & ~r->takes);
  }
  return reason;
}
