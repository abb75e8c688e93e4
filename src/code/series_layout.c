// Where inputs and outputs of the kernels of power series are, and the kernels themselves.
#include "code/series_make.h"

#include <stdlib.h>
#include <string.h>

static int rounded(int n)
{
  return (n + SERIES_LANES - 1) / SERIES_LANES * SERIES_LANES;
}

// the tape of the source with these outputs, as a kernel
static code_kernel* source_kernel(const series_maker* m, int outputs, const uint32_t* out)
{
  code_tape t = {.inputs = m->from.tape.inputs, .outputs = outputs};
  t.out = base_alloc((size_t)outputs * sizeof *t.out + 1);
  memcpy(t.out, out, (size_t)outputs * sizeof *t.out);
  for (int i = 0; i < m->from.tape.ins.n; i++) base_push(&t.ins, m->from.tape.ins.at[i]);
  return code_kernel_new(&t);
}

static int count_kind(const series_maker* m, series_kind kind)
{
  int n = 0;
  for (int i = 0; i < m->given.n; i++) n += m->given.at[i].kind == kind;
  return n;
}

// the numbers of one kind, in their order, to the end of a list
static int list_numbers(const series_maker* m, series_kind kind, uint32_t* out)
{
  int n = 0;
  for (int i = 0; i < m->given.n; i++)
    if (m->given.at[i].kind == kind) out[n++] = m->given.at[i].what;
  return n;
}

static uint32_t or_zero(series_maker* m, uint32_t v)
{
  return v == SERIES_NONE ? series_source_number(m, 0) : v;
}

static void make_order_0(series_maker* m, code_series* c, const series_problem* s)
{
  const int n = c->unknowns + c->starts, cells = c->cells;
  for (int i = 0; i < cells; i++) s->K[i] = or_zero(m, s->K[i]);
  for (int i = 0; i < n; i++) s->r[i] = or_zero(m, s->r[i]);
  const size_t room = (size_t)(m->given.n + cells + n + 1);
  uint32_t* out = base_alloc(room * sizeof *out);
  int count = list_numbers(m, SERIES_EARLY, out);
  memcpy(out + count, s->K, (size_t)cells * sizeof *out);
  memcpy(out + count + cells, s->r, (size_t)n * sizeof *out);
  c->early = source_kernel(m, count + cells + n, out);
  count = list_numbers(m, SERIES_LATE, out);
  if (s->also != SERIES_NONE) {
    out[count] = s->also;
    c->late = source_kernel(m, count + 1, out);
  }
  free(out);
}

static void place_inputs(const series_maker* m, code_series* c)
{
  const int n = c->unknowns;
  c->early_at = c->lanes;
  c->K_at = c->early_at + count_kind(m, SERIES_EARLY);
  c->late_at = c->K_at + c->cells + n + c->starts;
  c->also_at = c->late_at + count_kind(m, SERIES_LATE);
  c->k_at = c->also_at + 1;
  c->x_at = c->k_at + 1;
  c->inverse_at = c->x_at + n;
  c->none_at = c->inverse_at + c->cells;
  c->width = c->none_at + 1 + count_kind(m, SERIES_INPUT);
  c->place = base_alloc((size_t)c->inputs * sizeof *c->place + 1);
  for (int i = 0; i < c->inputs; i++) c->place[i] = c->none_at;
}

// lanes of pairs: those divided by k behind the others
static int* place_pairs(const series_maker* m, code_series* c)
{
  int* lane = base_alloc((size_t)m->pair.n * sizeof *lane + 1);
  int plain = 0, over = 0;
  for (int i = 0; i < m->pair.n; i++) lane[i] = m->pair.at[i].over ? over++ : plain++;
  // dividing takes time: both kinds share a vector only where that saves one
  const bool share = rounded(plain + over) < rounded(plain) + rounded(over);
  const int first = share ? plain : rounded(plain);
  c->plain = first / SERIES_LANES * SERIES_LANES;
  c->lanes = rounded(first + over);
  c->over = base_alloc((size_t)c->lanes * sizeof *c->over + 1);
  for (int i = 0; i < m->pair.n; i++) {
    if (!m->pair.at[i].over) continue;
    lane[i] += first;
    c->over[lane[i]] = 1;
  }
  return lane;
}

// the inputs of the step to their places
static void move_inputs(series_maker* m, code_series* c, const int* lane)
{
  int* to = base_alloc((size_t)m->given.n * sizeof *to + 1);
  int early = c->early_at, late = c->late_at, input = c->none_at + 1;
  for (int i = 0; i < m->given.n; i++) {
    const series_given* g = &m->given.at[i];
    const int what = (int)g->what;
    switch (g->kind) {
    case SERIES_SUM:
      to[i] = lane[what];
      break;
    case SERIES_EARLY:
      to[i] = early++;
      break;
    case SERIES_LATE:
      to[i] = late++;
      break;
    case SERIES_ORDER:
      to[i] = c->k_at;
      break;
    case SERIES_X:
      to[i] = c->x_at + what;
      break;
    case SERIES_INVERSE:
      to[i] = c->inverse_at + what;
      break;
    case SERIES_INPUT:
      to[i] = c->place[what] = input++;
      break;
    }
  }
  code_tape* t = &m->step.tape;
  for (int i = 0; i < t->ins.n; i++)
    if (t->ins.at[i].op == CODE_IN) t->ins.at[i].a = (uint32_t)to[t->ins.at[i].a];
  t->inputs = c->width;
  free(to);
}

static void make_step(series_maker* m, code_series* c, const series_problem* s, const int* lane)
{
  const int n = s->plan->unknowns, outputs = 2 * c->lanes + n + 1;
  code_tape* t = &m->step.tape;
  uint32_t* out = base_alloc((size_t)outputs * sizeof *out);
  const uint32_t zero = code_make_const(&m->step, 0);
  for (int i = 0; i < outputs; i++) out[i] = zero;
  for (int i = 0; i < m->pair.n; i++) {
    out[lane[i]] = series_factor_now(m, m->pair.at[i].f);
    out[c->lanes + lane[i]] = series_factor_now(m, m->pair.at[i].g);
  }
  for (int i = 0; i < n; i++)
    if (s->x[i] != SERIES_NONE) out[2 * c->lanes + i] = s->x[i];
  if (s->also != SERIES_NONE && m->value.at[s->also].now != SERIES_NONE)
    out[2 * c->lanes + n] = m->value.at[s->also].now;
  free(t->out);
  t->out = out;
  t->outputs = outputs;
  c->stride = rounded(outputs);
  move_inputs(m, c, lane);
  c->step = code_kernel_new(t);
}

static void keep_bindings(code_series* c, const code_series_plan* p)
{
  const size_t n = (size_t)p->unknowns;
  c->unknown_of = base_alloc(n * sizeof *c->unknown_of + 1);
  c->input_of = base_alloc(n * sizeof *c->input_of + 1);
  c->sign = base_alloc(n * sizeof *c->sign + 1);
  for (int j = 0; p->also && j < p->unknowns; j++) {
    if (p->input[j] < 0) continue;
    c->unknown_of[c->also_inputs] = j;
    c->input_of[c->also_inputs] = p->input[j];
    c->sign[c->also_inputs++] = p->sign[j];
  }
}

static size_t work_of(const code_series* c)
{
  size_t most = code_scratch(c->step);
  if (code_scratch(c->early) > most) most = code_scratch(c->early);
  if (c->late && code_scratch(c->late) > most) most = code_scratch(c->late);
  return most;
}

void series_layout(series_maker* m, code_series* c, const series_problem* s)
{
  int* lane = place_pairs(m, c);
  place_inputs(m, c);
  make_order_0(m, c, s);
  make_step(m, c, s, lane);
  keep_bindings(c, s->plan);
  c->work = work_of(c);
  free(lane);
}
