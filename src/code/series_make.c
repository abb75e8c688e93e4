// The kernels of power series as machine code: source, solution, layout.
//
// With K x = r and K_0 factored, coefficient k of x is
//   x_k = K_0^-1 (r_k - sum_j (S(K_j, x_j) + K_jk x_j0))
// which is a part of the step like everything else; only blocks of K that are coupled are
// multiplied.
#include "code/series_make.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// more unknowns are better solved by a factored matrix
enum { most_unknowns = 24 };

// ---- values -------------------------------------------------------------------------------------

uint32_t series_given_make(series_maker* m, series_kind kind, uint32_t what)
{
  const uint32_t at = (uint32_t)m->given.n;
  base_push(&m->given, (series_given){kind, what});
  m->step.tape.inputs = m->given.n;
  return code_make_in(&m->step, (int)at);
}

// values of the source that are new
static void follow(series_maker* m)
{
  for (int i = m->value.n; i < m->from.tape.ins.n; i++) {
    const code_ins* x = &m->from.tape.ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    series_value made = {false, SERIES_NONE, SERIES_NONE, SERIES_NONE};
    for (int k = 0; k < code_op_args(x->op); k++) made.late |= m->value.at[v[k]].late;
    base_push(&m->value, made);
  }
}

uint32_t series_source(series_maker* m, uint32_t op, uint32_t a, uint32_t b, uint32_t c)
{
  const uint32_t v = code_make(&m->from, op, a, b, c);
  follow(m);
  return v;
}

uint32_t series_source_number(series_maker* m, double x)
{
  const uint32_t v = code_make_const(&m->from, x);
  follow(m);
  return v;
}

uint32_t series_number(series_maker* m, uint32_t v)
{
  double x;
  if (code_is_const(&m->from, v, &x)) return code_make_const(&m->step, x);
  if (m->value.at[v].number == SERIES_NONE) {
    const series_kind kind = m->value.at[v].late ? SERIES_LATE : SERIES_EARLY;
    m->value.at[v].number = series_given_make(m, kind, v);
  }
  return m->value.at[v].number;
}

uint32_t series_add(series_maker* m, uint32_t x, uint32_t y)
{
  if (x == SERIES_NONE || y == SERIES_NONE) return x == SERIES_NONE ? y : x;
  return code_make(&m->step, CODE_ADD, x, y, 0);
}

uint32_t series_neg(series_maker* m, uint32_t x)
{
  return x == SERIES_NONE ? x : code_make_neg(&m->step, x);
}

uint32_t series_sub(series_maker* m, uint32_t x, uint32_t y)
{
  if (x == SERIES_NONE) return series_neg(m, y);
  return y == SERIES_NONE ? x : code_make(&m->step, CODE_SUB, x, y, 0);
}

uint32_t series_mul(series_maker* m, uint32_t x, uint32_t y)
{
  if (x == SERIES_NONE || y == SERIES_NONE) return SERIES_NONE;
  return code_make(&m->step, CODE_MUL, x, y, 0);
}

// ---- sums ---------------------------------------------------------------------------------------

static uint32_t add_factor(series_maker* m, uint32_t value, uint32_t of)
{
  base_push(&m->factor, (series_factor){value, SERIES_NONE, of, SERIES_NONE, SERIES_NONE});
  return (uint32_t)m->factor.n - 1;
}

uint32_t series_helper(series_maker* m)
{
  return add_factor(m, SERIES_NONE, SERIES_NONE);
}

uint32_t series_factor_of(series_maker* m, uint32_t v)
{
  if (m->value.at[v].series == SERIES_NONE) {
    const uint32_t made = add_factor(m, v, SERIES_NONE);
    m->value.at[v].series = made;
  }
  return m->value.at[v].series;
}

uint32_t series_slopes(series_maker* m, uint32_t f)
{
  if (m->factor.at[f].slopes == SERIES_NONE) {
    const uint32_t made = add_factor(m, SERIES_NONE, f);
    m->factor.at[f].slopes = made;
  }
  return m->factor.at[f].slopes;
}

uint32_t series_sum(series_maker* m, uint32_t f, uint32_t g, bool over)
{
  if (!over && f > g) return series_sum(m, g, f, over);
  for (uint32_t i = m->factor.at[f].pairs; i != SERIES_NONE; i = m->pair.at[i].next)
    if (m->pair.at[i].g == g && m->pair.at[i].over == over) return m->pair.at[i].sum;
  const uint32_t at = (uint32_t)m->pair.n;
  const series_pair made = {f, g, over, series_given_make(m, SERIES_SUM, at),
                            m->factor.at[f].pairs};
  base_push(&m->pair, made);
  m->factor.at[f].pairs = at;
  return made.sum;
}

uint32_t series_product(series_maker* m, uint32_t a, uint32_t b)
{
  const uint32_t x = m->value.at[a].now, y = m->value.at[b].now;
  if (x == SERIES_NONE && y == SERIES_NONE) return SERIES_NONE;
  if (y == SERIES_NONE) return series_mul(m, x, series_number(m, b));
  if (x == SERIES_NONE) return series_mul(m, y, series_number(m, a));
  const uint32_t g = series_factor_of(m, b), f = series_factor_of(m, a);
  const uint32_t sum = series_sum(m, f, g, false);
  if (a == b) {
    const uint32_t twice = series_source(m, CODE_ADD, a, a, 0);
    return series_add(m, sum, series_mul(m, x, series_number(m, twice)));
  }
  const uint32_t first = series_add(m, sum, series_mul(m, x, series_number(m, b)));
  return series_add(m, first, series_mul(m, y, series_number(m, a)));
}

uint32_t series_factor_now(series_maker* m, uint32_t f)
{
  const series_factor* x = &m->factor.at[f];
  const uint32_t now = x->of != SERIES_NONE      ? series_mul(m, m->k, series_factor_now(m, x->of))
                       : x->value != SERIES_NONE ? m->value.at[x->value].now
                                                 : x->now;
  return now == SERIES_NONE ? code_make_const(&m->step, 0) : now;
}

// ---- the source: one tape of both kernels -------------------------------------------------------

// a tape into the source, with sines and cosines apart; the values of its outputs
static void copy_tape(series_maker* m, const code_tape* t, int first, int count, uint32_t* to)
{
  uint32_t* number = base_alloc((size_t)t->ins.n * sizeof *number + 1);
  for (int i = 0; i < t->ins.n; i++) {
    const code_ins* x = &t->ins.at[i];
    if (x->op == CODE_IN)
      number[i] = code_make_in(&m->from, (int)x->a);
    else if (x->op == CODE_CONST)
      number[i] = code_make_const(&m->from, code_ins_const(x));
    else if (x->op == CODE_SINCOS)
      number[i] = code_make(&m->from, CODE_SIN, number[x->a], 0, 0);
    else if (x->op == CODE_COSINE)
      number[i] = code_make(&m->from, CODE_COS, number[x->b], 0, 0);
    else {
      const int args = code_op_args(x->op);
      number[i] = code_make(&m->from, x->op, number[x->a], args > 1 ? number[x->b] : 0,
                            args > 2 ? number[x->c] : 0);
    }
  }
  for (int i = 0; i < count; i++) to[i] = number[t->out[first + i]];
  free(number);
}

// from what is needed to what that is made of
static void spread_needed(const code_tape* t, int values, bool* needed)
{
  for (int i = values - 1; i >= 0; i--) {
    if (!needed[i]) continue;
    const code_ins* x = &t->ins.at[i];
    const uint32_t of[3] = {x->a, x->b, x->c};
    for (int k = 0; k < code_op_args(x->op); k++) needed[of[k]] = true;
  }
}

// ---- the step -----------------------------------------------------------------------------------

// coefficients of all values that need x, or of those that do not
static void grow(series_maker* m, const series_problem* s, bool late)
{
  for (int i = 0; i < s->values; i++) {
    const code_ins* x = &m->from.tape.ins.at[i];
    const uint32_t v = (uint32_t)i;
    if (!s->needed[i] || m->value.at[i].late != late) continue;
    if (x->op != CODE_IN)
      series_tangent(m, v);
    else if (!late)
      m->value.at[i].now = series_given_make(m, SERIES_INPUT, x->a);
  }
}

static void find_blocks(const series_problem* s)
{
  const int n = s->plan->unknowns;
  for (int i = 0; i < n; i++) s->block[i] = i;
  for (bool again = true; again;) {
    again = false;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        if (s->K[i * n + j] == SERIES_NONE || s->block[i] == s->block[j]) continue;
        const int least = s->block[i] < s->block[j] ? s->block[i] : s->block[j];
        s->block[i] = s->block[j] = least;
        again = true;
      }
  }
}

static void solve(series_maker* m, const series_problem* s)
{
  const int n = s->plan->unknowns;
  uint32_t *f = base_alloc((size_t)n * sizeof *f + 1),
           *right = base_alloc((size_t)n * sizeof *f + 1);
  uint32_t* start = base_alloc((size_t)n * sizeof *start + 1);
  for (int j = 0; j < n; j++) {
    f[j] = series_helper(m);
    start[j] = series_given_make(m, SERIES_X, (uint32_t)j);
  }
  for (int i = 0; i < n; i++) {
    right[i] = s->r[i] == SERIES_NONE ? SERIES_NONE : m->value.at[s->r[i]].now;
    for (int j = 0; j < n; j++) {
      const uint32_t v = s->K[i * n + j];
      if (v == SERIES_NONE || m->value.at[v].now == SERIES_NONE) continue;
      right[i] = series_sub(m, right[i], series_sum(m, series_factor_of(m, v), f[j], false));
      right[i] = series_sub(m, right[i], series_mul(m, m->value.at[v].now, start[j]));
    }
  }
  for (int i = 0; i < n; i++) {
    // two chains, so that neither waits long
    uint32_t sum[2] = {SERIES_NONE, SERIES_NONE};
    for (int j = 0, turn = 0; j < n; j++) {
      if (s->block[i] != s->block[j] || right[j] == SERIES_NONE) continue;
      const uint32_t entry = series_given_make(m, SERIES_INVERSE, (uint32_t)(i * n + j));
      sum[turn % 2] = series_add(m, sum[turn % 2], series_mul(m, right[j], entry));
      turn++;
    }
    const uint32_t x = series_add(m, sum[0], sum[1]);
    s->x[i] = x;
    m->factor.at[f[i]].now = x;
  }
  free(f);
  free(right);
  free(start);
}

// inputs of the further kernel that stand for unknowns
static void bind_unknowns(series_maker* m, const series_problem* s)
{
  const code_series_plan* p = s->plan;
  for (int i = 0; i < s->values; i++) {
    const code_ins* x = &m->from.tape.ins.at[i];
    if (x->op != CODE_IN || !m->value.at[i].late) continue;
    for (int j = 0; j < p->unknowns; j++)
      if (p->input[j] == (int)x->a)
        m->value.at[i].now = p->sign[j] < 0 ? series_neg(m, s->x[j]) : s->x[j];
  }
}

// ---- the whole ----------------------------------------------------------------------------------

// values of K, r and z in the source; zeros are none
static void read_source(series_maker* m, series_problem* s)
{
  const code_series_plan* p = s->plan;
  const int n = p->unknowns, cells = p->K ? n * n : 0, outputs = p->of->tape.outputs;
  uint32_t* out = base_alloc((size_t)outputs * sizeof *out + 1);
  copy_tape(m, &p->of->tape, 0, outputs, out);
  double x;
  for (int i = 0; i < cells + n + p->starts; i++) {
    const int which = i < cells ? p->K[i] : p->r[i - cells];
    const bool zero = which < 0 || (code_is_const(&m->from, out[which], &x) && x == 0);
    *(i < cells ? &s->K[i] : &s->r[i - cells]) = zero ? SERIES_NONE : out[which];
  }
  free(out);
  s->also = SERIES_NONE;
  if (p->also) copy_tape(m, &p->also->tape, p->output, 1, &s->also);
  for (int j = 0; p->also && j < n; j++)
    if (p->input[j] >= 0) code_make_in(&m->from, p->input[j]);
  s->values = m->from.tape.ins.n;
}

// marks of what needs x, and of what is needed at all
static void mark_source(series_maker* m, series_problem* s)
{
  const code_series_plan* p = s->plan;
  const int n = p->unknowns;
  for (int i = 0; i < s->values; i++) {
    const code_ins* x = &m->from.tape.ins.at[i];
    const uint32_t v[3] = {x->a, x->b, x->c};
    series_value made = {false, SERIES_NONE, SERIES_NONE, SERIES_NONE};
    for (int j = 0; p->also && j < n && x->op == CODE_IN; j++)
      made.late |= p->input[j] == (int)x->a;
    for (int k = 0; k < code_op_args(x->op); k++) made.late |= m->value.at[v[k]].late;
    base_push(&m->value, made);
  }
  s->needed = base_alloc((size_t)s->values + 1);
  for (int i = 0; p->K && i < n * n; i++)
    if (s->K[i] != SERIES_NONE) s->needed[s->K[i]] = true;
  for (int i = 0; i < n; i++)
    if (s->r[i] != SERIES_NONE) s->needed[s->r[i]] = true;
  if (s->also != SERIES_NONE) s->needed[s->also] = true;
  spread_needed(&m->from.tape, s->values, s->needed);
}

bool code_series_make(code_series* c, const code_series_plan* p)
{
  const int n = p->unknowns;
  if (p->K && n > most_unknowns) return false;
  c->order = p->order > 1 ? p->order : 1;
  c->inputs = p->of->tape.inputs;
  assert(!p->also || p->also->tape.inputs == c->inputs);
  c->unknowns = n;
  c->cells = p->K ? n * n : 0;
  c->starts = p->starts;
  series_maker m = {0};
  code_maker_start(&m.from, c->inputs, 0);
  code_maker_start(&m.step, 0, 0);
  series_problem s = {.plan = p};
  s.K = base_alloc((size_t)c->cells * sizeof *s.K + 1);
  s.r = base_alloc((size_t)(n + p->starts) * sizeof *s.r + 1);
  s.x = base_alloc((size_t)n * sizeof *s.x + 1);
  s.block = base_alloc((size_t)n * sizeof *s.block + 1);
  read_source(&m, &s);
  mark_source(&m, &s);
  m.k = series_given_make(&m, SERIES_ORDER, 0);
  grow(&m, &s, false);
  if (p->K) {
    find_blocks(&s);
    solve(&m, &s);
  }
  for (int i = 0; !p->K && i < n; i++)
    s.x[i] = s.r[i] == SERIES_NONE ? SERIES_NONE : m.value.at[s.r[i]].now;
  if (s.also != SERIES_NONE) {
    bind_unknowns(&m, &s);
    grow(&m, &s, true);
  }
  series_layout(&m, c, &s);
  code_maker_end(&m.from);
  code_maker_end(&m.step);
  code_tape_free(&m.from.tape);
  base_list_free(&m.value);
  base_list_free(&m.factor);
  base_list_free(&m.pair);
  base_list_free(&m.given);
  free(s.K), free(s.r), free(s.x), free(s.block), free(s.needed);
  return true;
}
