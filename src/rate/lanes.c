// Accelerations at eight states side by side: one kernel, in the lanes of the processor.
//
// y = (q, x, work), x the velocities v. The constraints A v + a0 = 0 either make some of them
// dependent once and for all (their columns of A are numbers), and the kernel eliminates them, or
// they are left to the accelerations alone, M a = F + A^T Lambda, A a = c, for all velocities
// alike: then no choice of independent ones ends a step. Pairs bound as by a blade are turned first
// (blade.c): then x are the velocities along it and across.
#include "rate/lanes.h"

#include <math.h>
#include <string.h>

enum { width = rate_lanes_width };

static void* take(engine* e, size_t count, size_t size)
{
  return base_arena_take(e->arena, (count + 1) * size);
}

static double* rows_of(engine* e, size_t count)
{
  double* at = take(e, width * (count + 1), sizeof(double));
  return (double*)(((uintptr_t)at + 63) & ~(uintptr_t)63);
}

// ---- the kernel ---------------------------------------------------------------------------------

static bool is_for(const engine* e, const rate_lanes_choice* c)
{
  return c->rows == e->mode.rows &&
         (!e->mode.rows || memcmp(c->row, e->mode.row, sizeof(int) * (size_t)e->mode.rows) == 0);
}

// where component i of y is found and put
static void lay_out(rate_lanes* s)
{
  const engine* e = s->e;
  const int n = e->n;
  for (int i = 0; i < n; i++) {
    const bool depends = s->now->depends[i];
    const int rate = s->now->put_rate[i];
    s->Y[i] = s->needed[i] ? s->in + width * (1 + i) : NULL;
    s->rate[i] = rate >= 0 ? -1 : n + i;
    s->F[i] = rate >= 0 ? s->out + width * rate : NULL;
    s->Y[n + i] = depends ? NULL : s->in + width * (1 + n + i);
    s->rate[n + i] = -1;
    s->F[n + i] = depends ? NULL : s->out + width * s->now->put[i];
  }
  s->Y[2 * n] = NULL;
  s->rate[2 * n] = -1;
  s->F[2 * n] = s->now->power >= 0 ? s->out + width * s->now->power : NULL;
  s->ode.version++;
}

// inputs `first` and `count` of them into the parts
static void fill_parts(rate_lanes* s, int first, int count)
{
  const int lanes = s->lanes, inputs = s->e->program->inputs;
  for (int from = 0; from < width; from += lanes)
    rate_lanes_copy(count, lanes, s->part_in + from * inputs + first * lanes, lanes,
                    s->in + first * width + from, width);
}

bool rate_lanes_ready(rate_lanes* s)
{
  engine* e = s->e;
  s->now = NULL;
  for (int i = 0; i < s->count && !s->now; i++)
    if (is_for(e, s->at[i])) s->now = s->at[i];
  if (!s->now && s->count < rate_lanes_most && !s->undefined) {
    s->now = rate_lanes_choose(e, s->which);
    if (s->now) s->at[s->count++] = s->now;
  }
  if (s->now && !s->now->kernel) s->now = NULL;
  return s->now;
}

// for so many inputs; what stands there has to be laid out anew
static void make_room(rate_lanes* s, size_t rows)
{
  if (rows <= s->rows) return;
  s->rows = rows;
  s->in = rows_of(s->e, rows);
  if (s->lanes < width) s->part_turn = rows_of(s->e, rows);
}

void rate_lanes_rebase(rate_lanes* s)
{
  engine* e = s->e;
  const bool ready = rate_lanes_ready(s), same = s->now == s->laid;
  s->laid = s->now;
  make_room(s, rate_lanes_turn_rows(s));
  for (int i = 0; i < e->program->inputs; i++) {
    const double x = e->in[i];
    for (int l = 0; l < width; l++) s->in[width * i + l] = x;
  }
  if (s->lanes < width) fill_parts(s, 0, e->program->inputs);
  s->stale = true;
  if (!ready || same) return;
  code_native(s->now->kernel, s->lanes);
  // of many coordinates one state alone is hardly asked for
  if (!e->sparse) code_native(s->now->kernel, 1);
  const size_t whole = code_scratch_lanes(s->now->kernel, s->lanes),
               turns = rate_lanes_turn_scratch(s);
  s->scratch = rows_of(e, (whole > turns ? whole : turns) / width + 1);
  const size_t one = code_scratch(s->now->kernel),
               turn = s->now->turn ? code_scratch(s->now->turn) : 0;
  s->one_scratch = take(e, one > turn ? one : turn, sizeof(double));
  lay_out(s);
  rate_lanes_turn_rebase(s);
}

// ---- evaluation ---------------------------------------------------------------------------------

static void times(void* flow, const double* t)
{
  rate_lanes* s = ((rate_flow*)flow)->abreast;
  engine* e = s->e;
  if (!s->timed) return;
  s->stale = true;
  for (int l = 0; l < width; l++) {
    engine_time(e, t[l]);
    s->in[l] = t[l];
    for (int i = 1 + 2 * e->n; i < 1 + 2 * e->n + 3 * e->p; i++) s->in[width * i + l] = e->in[i];
  }
}

// A part of the lanes at a time, where the processor has fewer. Since the last rebase the state
// alone has changed, or the time and what goes with it.
static void run_parts(rate_lanes* s)
{
  const engine* e = s->e;
  const int outputs = code_outputs(s->now->kernel), lanes = s->lanes, inputs = e->program->inputs;
  if (s->timed)
    fill_parts(s, 0, 1 + 2 * e->n + 3 * e->p);
  else
    fill_parts(s, 1, 2 * e->n);
  for (int from = 0; from < width; from += lanes) {
    code_run_lanes(s->now->kernel, lanes, s->part_in + from * inputs, s->part_out, s->scratch);
    rate_lanes_copy(outputs, lanes, s->out + from, width, s->part_out, lanes);
  }
}

void rate_lanes_turn_rates(rate_lanes* s, double* rates)
{
  const engine* e = s->e;
  const rate_lanes_choice* c = s->now;
  if (!c || !c->turns) return;
  code_run(c->turn, e->in, s->one_out, s->one_scratch);
  for (int k = 0; k < c->turns; k++) {
    const double* by = s->one_out + 4 * k;
    const int i = c->pair[2 * k], j = c->pair[2 * k + 1];
    rates[i] = by[1] * e->a[i] + by[2] * e->a[j] + by[3];
  }
}

// one state the general way, where elimination is not safe; velocities the kernel made dependent
// stay as it found them, by numbers
static int evaluate_one(rate_lanes* s, int l)
{
  engine* e = s->e;
  const int n = e->n;
  const rate_lanes_choice* c = s->now;
  double power;
  for (int i = 0; i < e->program->inputs; i++) e->in[i] = s->in[width * i + l];
  for (int i = 0; i < n; i++)
    if (c->put_rate[i] >= 0) e->v[i] = s->out[width * c->put_rate[i] + l];
  e->factored = false;
  if (contact_accelerations(e)) return 1;
  if (e->program->work_needs_reactions) contact_reactions(e);
  code_run(e->program->work, e->in, &power, e->work.scratch);
  rate_lanes_turn_rates(s, e->a);
  for (int i = 0; i < n; i++)
    if (!c->depends[i]) s->out[width * c->put[i] + l] = e->a[i];
  if (c->power >= 0) s->out[width * c->power + l] = power;
  return 0;
}

int rate_lanes_evaluate(void* flow)
{
  rate_lanes* s = ((rate_flow*)flow)->abreast;
  s->e->evaluations++;
  if (!s->now) return 1;
  if (s->lanes == width)
    code_run_lanes(s->now->kernel, width, s->in, s->out, s->scratch);
  else
    run_parts(s);
  if (rate_lanes_sure(s)) return 0;
  const double* guard = s->out + width * s->now->guard;
  for (int l = 0; l < width; l++)
    if (!(guard[l] > 0) && evaluate_one(s, l)) return 1;
  return 0;
}

// ---- what is made once --------------------------------------------------------------------------

rate_lanes* rate_lanes_new(engine* e, rate_velocities which)
{
  const size_t n = (size_t)e->n;
  rate_lanes* s = take(e, 1, sizeof *s);
  s->e = e;
  s->which = which;
  s->lanes = code_lanes_of(e->program->eom);
  make_room(s, (size_t)e->program->inputs);
  s->out = rows_of(e, 2 * n + 2);
  if (s->lanes < width) s->part_in = rows_of(e, (size_t)e->program->inputs);
  s->part_out = rows_of(e, 2 * n + 2);
  s->one_out = take(e, 2 * n + 2 + 4 * (size_t)e->m, sizeof(double));
  s->Y = take(e, 2 * n + 1, sizeof *s->Y);
  s->F = take(e, 2 * n + 1, sizeof *s->F);
  s->rate = take(e, 2 * n + 1, sizeof *s->rate);
  const rate_equations* q = rate_shared_equations(e->program);
  s->needed = q->needed;
  s->timed = q->timed;
  s->undefined = q->undefined;
  s->ode = (step_abreast){
      .Y = s->Y, .F = s->F, .rate = s->rate, .times = times, .evaluate = rate_lanes_evaluate};
  return s;
}

const step_abreast* rate_lanes_ode(const rate_lanes* s)
{
  return &s->ode;
}

void rate_lanes_settle(rate_lanes* s)
{
  engine* e = s->e;
  if (!s->now || !s->now->any) return;
  code_run(s->now->kernel, e->in, s->one_out, s->one_scratch);
  for (int i = 0; i < e->n; i++)
    if (s->now->put_rate[i] >= 0) e->v[i] = s->one_out[s->now->put_rate[i]];
}

void rate_lanes_turn(rate_lanes* s, double* x)
{
  const engine* e = s->e;
  if (!s->now || !s->now->turns) return;
  code_run(s->now->turn, e->in, s->one_out, s->one_scratch);
  for (int k = 0; k < s->now->turns; k++) x[s->now->pair[2 * k]] = s->one_out[4 * k];
}

void rate_lanes_settle_lanes(rate_lanes* s, double* in)
{
  const int n = s->e->n, lanes = s->lanes;
  const size_t bytes = sizeof(double) * (size_t)lanes;
  if (!s->now || !s->now->any) return;
  code_run_lanes(s->now->kernel, lanes, in, s->part_out, s->scratch);
  for (int i = 0; i < n; i++)
    if (s->now->put_rate[i] >= 0)
      memcpy(in + lanes * (1 + n + i), s->part_out + lanes * s->now->put_rate[i], bytes);
}

bool rate_lanes_eliminates(const rate_lanes* s)
{
  return s->now && s->now->any;
}

bool rate_lanes_meets(const rate_lanes* s)
{
  return s->now && s->now->meets;
}

void rate_lanes_put_back(const rate_lanes* s, double* y)
{
  const engine* e = s->e;
  for (int i = 0; s->now && s->now->any && i < e->n; i++)
    if (s->now->depends[i]) y[e->n + i] = e->v[i];
}

rate_lanes_outputs rate_lanes_now(const rate_lanes* s)
{
  const rate_lanes_choice* c = s->now;
  if (!c) return (rate_lanes_outputs){0};
  return (rate_lanes_outputs){c->kernel, c->depends, c->put, c->put_rate, c->guard, c->power};
}

int rate_lanes_rates(rate_lanes* s, double t, const double* y, double* dy)
{
  const rate_lanes_choice* c = s->now;
  engine* e = s->e;
  const int n = e->n;
  if (!c) return RATE_ELSEWHERE;
  engine_state(e, t, y, y + n);
  code_run(c->kernel, e->in, s->one_out, s->one_scratch);
  if (!(s->one_out[c->guard] > 0)) return RATE_ELSEWHERE;
  for (int i = 0; i < n; i++) {
    const int rate = c->put_rate[i];
    dy[i] = rate >= 0 ? s->one_out[rate] : y[n + i];
    dy[n + i] = c->depends[i] ? 0 : s->one_out[c->put[i]];
  }
  dy[2 * n] = c->power >= 0 ? s->one_out[c->power] : 0;
  return 0;
}
