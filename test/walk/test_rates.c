// Every rate of the table and every way to find accelerations against the plain one, in every mode
// that the gallery and the systems of the unions come to.
//
// A run is opened as any other; where it stands after a step is looked at aside of it, as rows are.
// There the general way gives y' in coordinates and velocities, and every other that takes the mode
// must give the same.
#include "bench.h"
#include "check.h"
#include "rate/rate.h"
#include "walk/rows.h"
#include "walk/run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { states = STEP_ABREAST, most_modes = 12, most_steps = 400, series_order = 4 };
// evaluations after which kernels are made, and simplified ones
static const long efforts[] = {1000, 1000000};
// of the scales: what elimination with pivots of a tenth leaves of the digits, engine_noise_force
static const double allowed = 1e-10;
// states beside the one of the run: how far, as a part of the scales
static const double beside = 1e-3;

// what was compared over all models, by rate and form, and by way
static long rates_seen[RATES][4], ways_seen[CONTACT_WAYS];

typedef struct state
{
  double t;
  double *y, *want; // (q, v, work) and its rates
} state;

typedef struct look
{
  const char* name;
  walk_job job;
  int modes;
  uint64_t mode[most_modes];
  long steps;
  int count;
  state at[states];
  double* size; // of the components of y'
  engine* full; // of systems of many coordinates, one with full matrices; else null
} look;

// ---- comparison ---------------------------------------------------------------------------------

static void compare(const look* k, const char* what, int count, const double* got,
                    const double* want, const double* size)
{
  for (int i = 0; i < count; i++) {
    if (fabs(got[i] - want[i]) <= allowed * fmax(size[i], fabs(want[i]))) continue;
    check_fail(__FILE__, __LINE__,
               "%s at t = %.6g: `%s` gives %.17g in place %d, not %.17g (of %.3g)", k->name,
               k->job.stepper->t, what, got[i], i, want[i], size[i]);
    return;
  }
}

static void find_sizes(look* k)
{
  const engine* e = k->job.e;
  const engine_scales* s = e->scales;
  const int n = e->n;
  k->size[2 * n] = 0;
  for (int i = 0; i < n; i++) {
    k->size[i] = s->speed[i];
    k->size[n + i] = fmax(s->acceleration[i], s->rate_terms[i]);
    k->size[2 * n] += s->mass[i] * k->size[i] * k->size[n + i];
  }
}

static double* numbers(engine* e, int count)
{
  return engine_take(e, (size_t)count + 1, sizeof(double));
}

// ---- the states ---------------------------------------------------------------------------------

static void put(engine* e, const state* s)
{
  engine_state(e, s->t, s->y, s->y + e->n);
  e->factored = false;
}

// that of the run, and others beside it on the same constraints
static void find_states(look* k)
{
  walk_job* r = &k->job;
  engine* e = r->e;
  const int n = e->n;
  const double span = r->t_end - r->track->t_from;
  rate_flow* full = rate_flow_new(e, 1e-10, true);
  double* from = numbers(e, 2 * n);
  uint64_t seed = 1;
  k->count = 0;
  if (rate_flow_load(r->f, r->stepper->t, r->stepper->y)) return;
  memcpy(from, e->q, sizeof(double) * (size_t)(2 * n));
  for (int l = 0; l < states; l++) {
    state* s = &k->at[k->count];
    bool moved;
    s->t = r->stepper->t + (isfinite(span) ? 1e-6 * l * span : 0);
    for (int i = 0; i < 2 * n; i++) {
      const double size = i < n ? e->scales->place[i] : e->scales->speed[i - n];
      engine_shake(s->y + i, 1, from + i, l ? beside * size : 0, NULL, &seed);
    }
    put(e, s);
    if (l && engine_project(e, &moved)) continue;
    memcpy(s->y, e->q, sizeof(double) * (size_t)(2 * n));
    s->y[2 * n] = 0;
    if (!rate_flow_general(full, s->t, s->y, s->want))
      k->count++;
    else if (!l)
      return;
  }
}

// ---- one state ----------------------------------------------------------------------------------

// in the flow's quasi-velocities u = C v: y' and its sizes
static void in_speeds(const rate_flow* f, const look* k, const double* want, double* out,
                      double* size)
{
  const int n = f->e->n;
  memcpy(out, want, sizeof(double) * (size_t)(2 * n + 1));
  memcpy(size, k->size, sizeof(double) * (size_t)(2 * n + 1));
  for (int i = 0; i < n && f->reduced; i++) {
    out[n + i] = size[n + i] = 0;
    for (int j = 0; i < f->l && j < n; j++) {
      out[n + i] += f->C[i * n + j] * want[n + j];
      size[n + i] += fabs(f->C[i * n + j]) * k->size[n + j];
    }
  }
}

static void check_one(look* k, rate_flow* f)
{
  engine* e = f->e;
  const int width = 2 * e->n + 1;
  double *y = numbers(e, width), *got = numbers(e, width), *want = numbers(e, width),
         *size = numbers(e, width);
  for (int i = 0; i < k->count; i++) {
    put(e, &k->at[i]);
    rate_flow_store(f, 0, y);
    in_speeds(f, k, k->at[i].want, want, size);
    for (int r = 0; r < RATES; r++) {
      const rate_way* way = &rate_table[r];
      if (!way->one || !rate_takes(way, rate_flow_features(f))) continue;
      if (way->one(f, k->at[i].t, y, got)) continue;
      // velocities that a kernel makes dependent have no rates
      for (int j = e->n; j < 2 * e->n; j++)
        if (f->quiet[j]) got[j] = want[j];
      compare(k, way->name, width, got, want, size);
      rates_seen[r][RATE_ONE]++;
    }
  }
}

static void check_kernels(look* k)
{
  engine* e = k->job.e;
  for (size_t i = 0; i < sizeof efforts / sizeof *efforts; i++) {
    const long kept = e->evaluations;
    e->evaluations = efforts[i];
    put(e, &k->at[0]);
    rate_flow* f = rate_flow_new(e, 1e-10, false);
    if (!rate_flow_rebase(f)) check_one(k, f);
    e->evaluations = kept;
  }
}

// ---- eight states -------------------------------------------------------------------------------

// slopes of component i in lane l, as a method finds them; nan where it is not integrated
static double slope(const step_abreast* ode, const double* y, int i, int l)
{
  if (ode->F[i]) return ode->F[i][l];
  return ode->rate[i] >= 0 ? y[ode->rate[i]] : NAN;
}

static void compare_lanes(look* k, rate_flow* f, double** y)
{
  engine* e = f->e;
  const step_abreast* ode = rate_lanes_ode(f->abreast);
  const int n = e->n, width = 2 * n + 1;
  double *got = numbers(e, width), *want = numbers(e, width);
  for (int l = 0; l < states; l++) {
    const state* s = &k->at[l % k->count];
    put(e, s);
    memcpy(e->a, s->want + n, sizeof(double) * (size_t)n);
    memcpy(want, s->want, sizeof(double) * (size_t)width);
    rate_lanes_turn_rates(f->abreast, want + n);
    for (int i = 0; i < width; i++) {
      got[i] = slope(ode, y[l], i, l);
      if (isnan(got[i]) && !ode->F[i]) got[i] = want[i];
    }
    // without power there is no work
    if (!ode->F[2 * n]) got[2 * n] = 0;
    compare(k, rate_table[RATE_LANES].name, width, got, want, k->size);
  }
  rates_seen[RATE_LANES][RATE_EIGHT]++;
}

static void check_lanes(look* k, bool turning)
{
  engine* e = k->job.e;
  put(e, &k->at[0]);
  if (rate_refusal(RATE_EIGHT, rate_lasting_features(e))) return;
  rate_lanes* lanes = rate_lanes_new(e, turning ? RATE_TURNED : RATE_ELIMINATED);
  rate_lanes_rebase(lanes);
  if (rate_lanes_ready(lanes)) {
    rate_flow* f = rate_flow_new(e, 1e-10, true);
    rate_flow_take_kernel(f, lanes);
    const step_abreast* ode = rate_lanes_ode(lanes);
    double t[states], *y[states];
    for (int l = 0; l < states; l++) {
      const state* s = &k->at[l % k->count];
      t[l] = s->t;
      y[l] = numbers(e, 2 * e->n + 1);
      put(e, s);
      rate_flow_store(f, 0, y[l]);
      for (int i = 0; i < 2 * e->n + 1; i++)
        if (ode->Y[i]) ode->Y[i][l] = y[l][i];
    }
    ode->times(f, t);
    CHECK(!rate_table[RATE_LANES].eight(f));
    compare_lanes(k, f, y);
  }
}

// ---- series -------------------------------------------------------------------------------------

// the sizes of coefficients of higher order: all grow by as much as the one that grows most
static void grow(int width, const double* c, const double* from, double* size)
{
  double most = 1;
  for (int i = 0; i < width; i++)
    if (from[i] > 0) most = fmax(most, fabs(c[i]) / from[i]);
  for (int i = 0; i < width; i++) size[i] = most * from[i];
}

// the first coefficients are y'; the others must be those of the first that has any
static void check_series_at(look* k, rate_flow* f, const state* s, double** c)
{
  engine* e = f->e;
  const int width = 2 * e->n + 1;
  const double* first = NULL;
  double* size = numbers(e, width);
  for (int r = 0; r < RATES; r++) {
    const rate_way* way = &rate_table[r];
    if (!way->series || !rate_takes(way, rate_flow_features(f))) continue;
    rate_series_prepare(f->series, s->t, s->y);
    if (way->series(f, s->y, series_order, c[r])) continue;
    rates_seen[r][RATE_SERIES]++;
    compare(k, way->name, width, c[r] + width, s->want, k->size);
    for (int i = 2; i <= series_order && first; i++) {
      grow(width, first + i * width, k->size, size);
      compare(k, way->name, width, c[r] + i * width, first + i * width, size);
    }
    if (!first) first = c[r];
  }
}

static void check_series(look* k)
{
  engine* e = k->job.e;
  put(e, &k->at[0]);
  if (rate_refusal(RATE_SERIES, rate_features(e))) return;
  rate_flow* f = rate_flow_new(e, 1e-10, true);
  f->series = rate_series_new(e, series_order);
  rate_lanes* lanes = NULL;
  if (f->series->native && !rate_refusal(RATE_EIGHT, rate_features(e))) {
    lanes = rate_lanes_new(e, RATE_ELIMINATED);
    rate_flow_take_kernel(f, lanes);
  }
  if (!rate_flow_rebase(f)) {
    if (lanes) rate_series_direct_make(f);
    double* c[RATES];
    for (int r = 0; r < RATES; r++) c[r] = numbers(e, (series_order + 2) * (2 * e->n + 1));
    for (int i = 0; i < k->count && i < 2; i++) check_series_at(k, f, &k->at[i], c);
    check_one(k, f);
  }
}

// ---- twice the digits ---------------------------------------------------------------------------

static void check_wide(look* k)
{
  engine* e = k->job.e;
  const int width = 2 * e->n + 1;
  put(e, &k->at[0]);
  if (rate_refusal(RATE_TWICE, rate_features(e))) return;
  rate_flow* f = rate_flow_new(e, 1e-20, true);
  f->wide = rate_wide_new(e, 1);
  base_wide* y = engine_take(e, (size_t)(3 * width), sizeof *y);
  double* got = numbers(e, width);
  for (int i = 0; i < k->count; i++) {
    const state* s = &k->at[i];
    put(e, s);
    for (int j = 0; j < width; j++) y[j] = base_wide_of(s->y[j]);
    if (rate_table[RATE_WIDE].twice(f, base_wide_of(s->t), y, 1, 1, y + width)) continue;
    for (int j = 0; j < width; j++) got[j] = y[2 * width + j].hi;
    compare(k, rate_table[RATE_WIDE].name, width, got, s->want, k->size);
    rates_seen[RATE_WIDE][RATE_TWICE]++;
  }
  rate_wide_free(f->wide);
}

// ---- accelerations ------------------------------------------------------------------------------

// the rows of the table that need more than a system has that does not ask for them
enum { MANY = 1, CURVE, HELD, COUPLED, REGIME, SLIP, PARTS };

static bool is_made(const engine* e, int way)
{
  switch (way) {
  case MANY:
    return e->sparse;
  case CURVE:
    return e->least;
  case HELD:
    return e->program->modes.count;
  case COUPLED:
    return code_outputs(e->program->coupling);
  case REGIME:
    return e->mode.regime >= 0;
  case SLIP:
    return e->unilateral && e->unilateral->rough;
  case PARTS:
    return e->parts;
  default:
    return true;
  }
}

// every way that takes the mode against the first, at the state in the input block
static void check_ways(const look* k, engine* e, const double* size)
{
  const engine_features asked = contact_ways_features(e);
  const size_t bytes = sizeof(double) * (size_t)e->program->inputs;
  double *in = numbers(e, e->program->inputs), *want = numbers(e, e->n);
  memcpy(in, e->in, bytes);
  if (contact_accelerations(e)) return;
  memcpy(want, e->a, sizeof(double) * (size_t)e->n);
  bool first = true;
  for (int i = 0; i < CONTACT_WAYS; i++) {
    if (asked & ~contact_ways[i].takes) continue;
    const bool other = !first && is_made(e, i);
    first = false;
    if (!other) continue;
    memcpy(e->in, in, bytes);
    e->factored = false;
    if (contact_ways[i].accelerations(e))
      check_fail(__FILE__, __LINE__, "%s at t = %.6g: `%s` fails: %s", k->name, k->job.stepper->t,
                 contact_ways[i].name, e->reason);
    else
      compare(k, contact_ways[i].name, e->n, e->a, want, size);
    ways_seen[i]++;
  }
  memcpy(e->in, in, bytes);
  e->factored = false;
}

// A system of parts as one, where one way takes all of it; the parts have accelerations by now.
static void check_whole(const look* k, engine* e)
{
  const int parts = e->parts;
  engine_features asked = 0;
  for (int p = 0; p < parts; p++) asked |= contact_ways_features(e->part[p].e);
  if (asked & (ENGINE_HOLDS_REGIME | ENGINE_HOLDS_SLIP | ENGINE_HOLDS_CURVED)) return;
  double* want = numbers(e, e->n);
  if (contact_accelerations(e)) return;
  memcpy(want, e->a, sizeof(double) * (size_t)e->n);
  e->parts = 0;
  e->factored = false;
  if (!contact_accelerations(e)) {
    compare(k, contact_ways[PARTS].name, e->n, want, e->a, k->size + e->n);
    ways_seen[PARTS]++;
  }
  e->parts = parts;
  e->factored = false;
}

// many coordinates with full matrices
static void check_full(const look* k, const state* s)
{
  engine *e = k->job.e, *full = k->full;
  memcpy(full->mode.active, e->mode.active, (size_t)e->m);
  memcpy(full->mode.implied, e->mode.implied, (size_t)e->m);
  full->mode.implied_count = e->mode.implied_count;
  engine_rows(full);
  put(full, s);
  CHECK(!contact_accelerations(full));
  compare(k, contact_ways[MANY].name, e->n, s->want + e->n, full->a, k->size + e->n);
  ways_seen[MANY]++;
}

static void check_accelerations(const look* k, const state* s)
{
  engine* e = k->job.e;
  const double* size = k->size + e->n;
  put(e, s);
  if (k->full) check_full(k, s);
  if (!e->parts) {
    check_ways(k, e, size);
    return;
  }
  for (int p = 0; p < e->parts; p++) {
    engine* x = engine_part_enter(e, p);
    double* own = numbers(x, x->n);
    for (int i = 0; i < x->n; i++) own[i] = size[e->part[p].coord[i]];
    check_ways(k, x, own);
  }
  put(e, s);
  check_whole(k, e);
}

// ---- a run --------------------------------------------------------------------------------------

static uint64_t mix(uint64_t h, uint64_t x)
{
  return (h ^ x) * 0x100000001b3;
}

static uint64_t mode_of(const engine* e)
{
  uint64_t h = mix(14695981039346656037u, (uint64_t)(e->mode.regime + 1));
  for (int k = 0; k < e->m; k++) h = mix(h, 2u * e->mode.active[k] + e->mode.implied[k]);
  for (int i = 0; i < e->program->modes.count; i++)
    h = mix(h, e->mode.held[i] ? 3 : e->side[i] > 0);
  for (int p = 0; p < e->parts; p++) h = mix(h, mode_of(e->part[p].e));
  return h;
}

static bool is_new(look* k)
{
  const uint64_t now = mode_of(k->job.e);
  for (int i = 0; i < k->modes; i++)
    if (k->mode[i] == now) return false;
  if (k->modes == most_modes) return false;
  k->mode[k->modes++] = now;
  return true;
}

static void check_here(look* k)
{
  walk_job* r = &k->job;
  walk_aside_begin(r->record->aside, r->f);
  find_states(k);
  find_sizes(k);
  if (k->count) {
    check_kernels(k);
    check_lanes(k, true);
    check_lanes(k, false);
    check_series(k);
    check_wide(k);
    check_accelerations(k, &k->at[0]);
  }
  walk_aside_end(r->record->aside, r->f);
}

static bool after_step(void* context, const walk_progress* p)
{
  look* k = context;
  (void)p;
  k->steps++;
  // new modes, and now and then on the way
  if (is_new(k) || (k->steps & (k->steps - 1)) == 0) check_here(k);
  return k->steps < most_steps;
}

static void check_run(const char* name, bench* b)
{
  look k = {.name = name};
  walk_options o = walk_options_default();
  o.tolerance = 1e-8;
  o.points = 2;
  o.progress = after_step;
  o.progress_context = &k;
  k.job = (walk_job){.s = b->system, .o = &o, .notes = b->notes};
  if (walk_run_open(&k.job) && !k.job.moreau) {
    const size_t width = 2 * (size_t)b->system->n + 1;
    double* room = base_alloc(sizeof(double) * width * (2 * states + 1));
    for (int i = 0; i < states; i++) {
      k.at[i].y = room + 2 * (size_t)i * width;
      k.at[i].want = k.at[i].y + width;
    }
    k.size = room + 2 * states * width;
    if (k.job.e->sparse && b->system->M) k.full = contact_engine_new(b->system, b->notes);
    walk_run_steps(&k.job);
    engine_free(k.full);
    free(room);
  }
  walk_track* t = k.job.track;
  walk_run_close(&k.job);
  walk_track_free(t);
}

static bool check_bench(const char* name, bench b)
{
  const bool made = b.system;
  if (made) check_run(name, &b);
  bench_free(&b);
  return made;
}

static bool check_model(const char* name)
{
  return check_bench(name, bench_file(name));
}

static bool check_system(const char* name)
{
  return check_bench(name, bench_system(name));
}

// each of them was compared at all
static void check_seen(void)
{
  for (int r = 0; r < RATES; r++) {
    const rate_way* w = &rate_table[r];
    const bool has[] = {w->one, w->eight, w->series, w->twice};
    for (int form = RATE_ONE; form <= RATE_TWICE; form++)
      if (has[form] && rates_seen[r][form] < 100)
        check_fail(__FILE__, __LINE__, "`%s` was compared %ld times", w->name, rates_seen[r][form]);
  }
  const int ways[] = {MANY, SLIP, PARTS};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (ways_seen[ways[i]] < 5)
      check_fail(__FILE__, __LINE__, "`%s` was compared %ld times", contact_ways[ways[i]].name,
                 ways_seen[ways[i]]);
}

// joints of a tree, in coordinates of each body: through entries, few as they are
static const char* const rods =
    "param N = 7, l = 0.1 [m], m = 0.2 [kg]\n"
    "gravity (0, -9.81, 0)\n"
    "for i in 1..N {\n"
    "  coord x[i], y[i] [m]\n  coord a[i]\n"
    "  frame F[i] = world at (x[i], y[i], 0) rotated z(a[i])\n"
    "  rod R[i] mass m from (-l/2, 0, 0) to (l/2, 0, 0) in F[i]\n"
    "  point p[i] = (-l/2, 0, 0) in F[i]\n  point e[i] = (l/2, 0, 0) in F[i]\n"
    "  initial a[i] = 0.1*i\n"
    "}\n"
    "constraint h[1]: pos(p[1]) = (0, 0, 0)\n"
    "for i in 2..N { constraint h[i]: pos(p[i]) = pos(e[i-1]) }\n"
    "force a[3] = -0.01*a[3]'\nrun 0 .. 2\n";

TEST(every_rate_gives_what_the_plain_one_gives)
{
  CHECK(check_bench("rods", bench_text(rods)));
  CHECK(bench_gallery(check_model) > 100);
  CHECK(bench_systems(check_system) > 20);
  check_seen();
}
