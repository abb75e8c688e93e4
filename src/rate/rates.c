// The table of rates: every way to evaluate y', and what a system and its mode must not ask for if
// it is to be taken. Who wants y' of one state, of eight, as a series or with twice the digits asks
// the table; the first that takes all is used.
#include "rate/rate.h"

// ---- the table ----------------------------------------------------------------------------------

static int fused_one(rate_flow* f, double t, const double* y, double* dy)
{
  return f->fused ? rate_fused_rates(f->fused, f->e, t, y, dy) : RATE_ELSEWHERE;
}

// beside series only: Gauss's method puts its stages side by side
static int direct_one(rate_flow* f, double t, const double* y, double* dy)
{
  return f->series && f->abreast ? rate_lanes_rates(f->abreast, t, y, dy) : RATE_ELSEWHERE;
}

static void mark_trial(engine* e, bool trial)
{
  e->trial = trial;
  for (int i = 0; i < e->parts; i++) e->part[i].e->trial = trial;
}

// a state that a step tries
static int general_one(rate_flow* f, double t, const double* y, double* dy)
{
  mark_trial(f->e, true);
  const int status = rate_flow_general(f, t, y, dy);
  mark_trial(f->e, false);
  return status;
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

const rate_way rate_table[RATES] = {
    [RATE_FUSED] = {"one kernel", RATE_TAKES_FUSED, .one = fused_one},
    [RATE_DIRECT] = {"kernel of series", RATE_TAKES_DIRECT, .one = direct_one,
                     .series = direct_series},
    [RATE_GENERAL] = {"general", ENGINE_EVERY_FEATURE, .one = general_one},
    [RATE_LANES] = {"lanes", RATE_TAKES_LANES, .eight = rate_lanes_evaluate},
    [RATE_RECURRENCE] = {"recurrence", RATE_TAKES_SERIES, .series = native_series},
    [RATE_JETS] = {"jets", RATE_TAKES_SERIES, .series = rate_series_jets},
    [RATE_WIDE] = {"double-double", RATE_TAKES_WIDE, .twice = rate_wide_expand},
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

// ---- who asks -----------------------------------------------------------------------------------

int rate_of_one(void* flow, double t, const double* y, double* dy)
{
  rate_flow* f = flow;
  const engine_features asked = rate_flow_features(f);
  f->e->evaluations++;
  int status = RATE_ELSEWHERE;
  for (const rate_way* r = rate_table; status == RATE_ELSEWHERE; r++)
    if (r->one && rate_takes(r, asked)) status = r->one(f, t, y, dy);
  return status;
}

int rate_of_series(void* flow, double t, const double* y, int order, double* c)
{
  rate_flow* f = flow;
  const engine_features asked = rate_flow_features(f) | contact_ways_features(f->e);
  const char* why = rate_refusal(RATE_SERIES, asked);
  f->series->expanded = 0;
  if (why) return rate_series_refuse(f->series, why);
  rate_series_prepare(f->series, t, y);
  int status = RATE_ELSEWHERE;
  for (const rate_way* r = rate_table; status == RATE_ELSEWHERE; r++)
    if (r->series && rate_takes(r, asked)) status = r->series(f, y, order, c);
  if (!status) rate_series_keep(f->series, t, order, c);
  return status;
}
