// The recurrences of jet_run.c with twice the digits.
//
// A convolution is a compensated sum: of every product and every sum of high parts the exact error
// is kept and added up beside them (Ogita, Rump, Oishi, SIAM J. Sci. Comput. 26 (2005), 1955, Dot2,
// here with low parts of the factors): an error of a few n^2 2^-106 of the sum of absolute values.
#include "code/wide.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ALWAYS static inline __attribute__((always_inline))

// sum of f_j g_j over j < n; what is read behind the last term is a product with zero (see jet.h)
typedef base_wide dot_function(const double* f, const double* f_low, const double* g,
                               const double* g_low, int n);

// four sums and what they lost
ALWAYS base_wide in_all(const double h[4], const double r[4])
{
  const base_wide a = base_wide_two_sum(h[0], h[1]), b = base_wide_two_sum(h[2], h[3]);
  const base_wide s = base_wide_two_sum(a.hi, b.hi);
  return base_wide_quick_sum(s.hi, s.lo + ((a.lo + b.lo) + ((r[0] + r[1]) + (r[2] + r[3]))));
}

ALWAYS base_wide dot_anywhere(const double* f, const double* f_low, const double* g,
                              const double* g_low, int n)
{
  double high[4] = {0}, rest[4] = {0};
  for (int i = 0; i < n; i += 4)
    for (int j = 0; j < 4; j++) {
      const double x = f[i + j], y = g[i + j];
      const base_wide p = base_wide_two_product(x, y), s = base_wide_two_sum(high[j], p.hi);
      high[j] = s.hi;
      rest[j] += s.lo + (p.lo + __builtin_fma(x, g_low[i + j], f_low[i + j] * y));
    }
  return in_all(high, rest);
}

#if defined(__x86_64__)
// the same bits, four at a time
__attribute__((target("avx2,fma"))) static inline base_wide
dot_avx2(const double* f, const double* f_low, const double* g, const double* g_low, int n)
{
  __m256d high = _mm256_setzero_pd(), rest = high;
  for (int i = 0; i < n; i += 4) {
    const __m256d x = _mm256_loadu_pd(f + i), y = _mm256_loadu_pd(g + i);
    const __m256d p = _mm256_mul_pd(x, y), p_low = _mm256_fmsub_pd(x, y, p);
    const __m256d s = _mm256_add_pd(high, p), part = _mm256_sub_pd(s, high);
    const __m256d lost =
        _mm256_add_pd(_mm256_sub_pd(high, _mm256_sub_pd(s, part)), _mm256_sub_pd(p, part));
    const __m256d cross = _mm256_fmadd_pd(x, _mm256_loadu_pd(g_low + i),
                                          _mm256_mul_pd(_mm256_loadu_pd(f_low + i), y));
    high = s;
    rest = _mm256_add_pd(rest, _mm256_add_pd(lost, _mm256_add_pd(p_low, cross)));
  }
  double h[4], r[4];
  _mm256_storeu_pd(h, high);
  _mm256_storeu_pd(r, rest);
  return in_all(h, r);
}
#endif

// As in jet_run.c: coefficient k of a series is `now` while order k is computed, and 0 in its
// place.
typedef struct at_order
{
  double *r, *low;
  uint32_t mirror, top, now;
  int k;
  dot_function* dot;
} at_order;

ALWAYS base_wide at(const at_order* o, uint32_t place)
{
  return (base_wide){o->r[place], o->low[place]};
}

ALWAYS void put(const at_order* o, uint32_t place, base_wide value)
{
  o->r[place] = value.hi;
  o->low[place] = value.lo;
}

#define NOW(P)        at(o, s->P + o->now)
#define FIRST(P)      at(o, s->P)
#define SET(P, VALUE) put(o, s->P + o->now, VALUE)
#define ADD           base_wide_add
#define SUB           base_wide_sub
#define MUL           base_wide_mul
#define DIV           base_wide_div
#define NEG           base_wide_neg
#define BY(A, N)      base_wide_scale(A, (double)(N))
#define OVER(A, N)    base_wide_div(A, base_wide_of((double)(N)))

// sum over j = 1 .. k-1 of f_j g_(k-j)
ALWAYS base_wide inner(const at_order* o, uint32_t f, uint32_t g)
{
  const uint32_t behind = g + o->mirror + o->top + 1;
  return o->dot(o->r + f + 1, o->low + f + 1, o->r + behind, o->low + behind, o->k);
}

// sum over j = 1 .. k of f_j g_(k-j)
ALWAYS base_wide tail(const at_order* o, uint32_t f, uint32_t g)
{
  return ADD(inner(o, f, g), MUL(at(o, f + o->now), at(o, g)));
}

// sum over j = 0 .. k of f_j g_(k-j)
ALWAYS base_wide whole(const at_order* o, uint32_t f, uint32_t g)
{
  return ADD(tail(o, f, g), MUL(at(o, f), at(o, g + o->now)));
}

// the number of a product, which may have been turned round
ALWAYS base_wide number(const at_order* o, const jet_step* s)
{
  const base_wide z = at(o, s->b);
  return z.hi == s->z ? z : NEG(z);
}

static void pair(const at_order* o, const jet_step* s, bool minus_w, bool minus_y)
{
  SET(x, BY(NOW(a), o->k));
  const base_wide w = OVER(tail(o, s->x, s->y), o->k);
  SET(d, minus_w ? NEG(w) : w);
  const base_wide y = OVER(tail(o, s->x, s->d), o->k);
  SET(y, minus_y ? NEG(y) : y);
}

static void tangent(const at_order* o, const jet_step* s, bool minus)
{
  SET(x, BY(NOW(a), o->k));
  SET(d, OVER(tail(o, s->x, s->y), o->k));
  const base_wide square = whole(o, s->d, s->d);
  SET(y, minus ? NEG(square) : square);
}

// y w' = rhs, with the series j w_j in x
static void quotient(const at_order* o, const jet_step* s, base_wide rhs)
{
  SET(d, DIV(SUB(rhs, inner(o, s->x, s->y)), BY(FIRST(y), o->k)));
  SET(x, BY(NOW(d), o->k));
}

static void arctangent2(const at_order* o, const jet_step* s)
{
  base_wide rhs = BY(SUB(MUL(NOW(a), FIRST(b)), MUL(FIRST(a), NOW(b))), o->k);
  for (int j = 1; j < o->k; j++) {
    const base_wide product = MUL(at(o, s->a + (uint32_t)j), at(o, s->b + (uint32_t)(o->k - j)));
    rhs = ADD(rhs, BY(product, 2 * j - o->k));
  }
  SET(y, ADD(whole(o, s->a, s->a), whole(o, s->b, s->b)));
  quotient(o, s, rhs);
}

static base_wide root(const at_order* o, const jet_step* s)
{
  if (FIRST(d).hi == 0) return base_wide_of(NOW(a).hi == 0 ? 0 : NAN);
  return DIV(SUB(NOW(a), inner(o, s->d, s->d)), BY(FIRST(d), 2));
}

static void power(const at_order* o, const jet_step* s, int order)
{
  SET(x, BY(NOW(a), o->k));
  base_wide w;
  if (FIRST(a).hi != 0) {
    const base_wide above = SUB(MUL(at(o, s->b), tail(o, s->x, s->d)), inner(o, s->y, s->a));
    w = DIV(above, BY(FIRST(a), o->k));
  } else {
    const bool flat = NOW(a).hi == 0 || (s->z > order && s->z == floor(s->z));
    w = base_wide_of(s->z > 0 && flat ? 0 : NAN);
  }
  SET(d, w);
  SET(y, BY(w, o->k));
}

// what is not said here has corners, and is refused before: its series is not a number
static void go_rare(const at_order* o, const jet_step* s, int order)
{
  switch (s->op) {
  case CODE_SQRT:
    SET(d, root(o, s));
    break;
  case JET_POWER:
    power(o, s, order);
    break;
  case CODE_EXP:
    SET(x, BY(NOW(a), o->k));
    SET(d, OVER(tail(o, s->x, s->d), o->k));
    break;
  case CODE_LOG:
    SET(d, DIV(SUB(NOW(a), OVER(inner(o, s->x, s->a), o->k)), FIRST(a)));
    SET(x, BY(NOW(d), o->k));
    break;
  case CODE_SIN:
  case CODE_SINCOS:
    pair(o, s, false, true);
    break;
  case CODE_COS:
    pair(o, s, true, false);
    break;
  case CODE_SINH:
  case CODE_COSH:
    pair(o, s, false, false);
    break;
  case CODE_TAN:
    tangent(o, s, false);
    break;
  case CODE_TANH:
    tangent(o, s, true);
    break;
  case CODE_ATAN:
    SET(y, whole(o, s->a, s->a));
    quotient(o, s, BY(NOW(a), o->k));
    break;
  case CODE_ASIN:
    quotient(o, s, BY(NOW(a), o->k));
    SET(y, NEG(OVER(tail(o, s->x, s->a), o->k)));
    break;
  case CODE_ACOS:
    quotient(o, s, BY(NOW(a), -o->k));
    SET(y, OVER(tail(o, s->x, s->a), o->k));
    break;
  case CODE_ATAN2:
    arctangent2(o, s);
    break;
  default:
    SET(d, base_wide_of(NAN));
    break;
  }
}

ALWAYS void go(const at_order* o, const jet_step* s, int order)
{
  switch (s->op) {
  case CODE_ADD:
    SET(d, ADD(NOW(a), NOW(b)));
    break;
  case CODE_SUB:
    SET(d, SUB(NOW(a), NOW(b)));
    break;
  case CODE_NEG:
    SET(d, NEG(NOW(a)));
    break;
  case CODE_MUL:
    SET(d, whole(o, s->a, s->b));
    break;
  case CODE_NMUL:
    SET(d, NEG(whole(o, s->a, s->b)));
    break;
  case CODE_FMA:
    SET(d, ADD(NOW(c), whole(o, s->a, s->b)));
    break;
  case CODE_FMS:
    SET(d, SUB(whole(o, s->a, s->b), NOW(c)));
    break;
  case CODE_FNMA:
    SET(d, SUB(NOW(c), whole(o, s->a, s->b)));
    break;
  case CODE_FNMS:
    SET(d, NEG(ADD(NOW(c), whole(o, s->a, s->b))));
    break;
  case JET_SCALE:
    SET(d, MUL(number(o, s), NOW(a)));
    break;
  case JET_OVER:
    SET(d, DIV(NOW(a), number(o, s)));
    break;
  case JET_AXPY:
    SET(d, ADD(MUL(number(o, s), NOW(a)), NOW(c)));
    break;
  case JET_AXMY:
    SET(d, SUB(MUL(number(o, s), NOW(a)), NOW(c)));
    break;
  case CODE_DIV:
    SET(d, DIV(SUB(NOW(a), tail(o, s->b, s->d)), FIRST(b)));
    break;
  case CODE_NDIV:
    SET(d, DIV(SUB(NEG(NOW(a)), tail(o, s->b, s->d)), FIRST(b)));
    break;
  default:
    go_rare(o, s, order);
    break;
  }
}

ALWAYS void walk(const code_jet* j, int k, double* r, double* low, dot_function* dot)
{
  const at_order o = {r, low, j->mirror, (uint32_t)(j->order - k), j->now, k, dot};
  for (int i = 0; i < j->steps; i++) go(&o, &j->step[i], j->order);
  for (int i = 0; i < j->live; i++) {
    const uint32_t p = j->live_at[i];
    const base_wide value = at(&o, p + o.now);
    put(&o, p + (uint32_t)k, value);
    put(&o, p + (uint32_t)k + 1, base_wide_of(0));
    put(&o, p + o.mirror + o.top, value);
  }
}

ALWAYS void multiply(const code_jet* j, const double* r, const double* low, int k, int count,
                     const code_jet_product* list, base_wide* sum, dot_function* dot)
{
  const uint32_t top = j->mirror + (uint32_t)(j->order - k) + 1;
  for (int i = 0; i < count; i++) {
    const uint32_t f = j->out[list[i].output] + 1, g = j->in[list[i].input] + top;
    base_wide* to = &sum[list[i].row];
    *to = ADD(*to, dot(r + f, low + f, r + g, low + g, k));
  }
}

// ---- order 0 ------------------------------------------------------------------------------------

static void begin(const code_jet* j, double* r, double* low, uint32_t p, base_wide value)
{
  const uint32_t down = p + j->mirror + (uint32_t)j->order;
  r[p] = r[down] = value.hi;
  low[p] = low[down] = value.lo;
}

#define BEGIN(P, VALUE) begin(j, o->r, o->low, s->P, VALUE)

// the series beside that of a function with the value w
static void start_helper(const code_jet* j, const at_order* o, const jet_step* s, base_wide w)
{
  const base_wide a = FIRST(a), one = base_wide_of(1);
  switch (s->op) {
  case CODE_TAN:
    BEGIN(y, ADD(one, MUL(w, w)));
    break;
  case CODE_TANH:
    BEGIN(y, SUB(one, MUL(w, w)));
    break;
  case CODE_ATAN:
    BEGIN(y, ADD(one, MUL(a, a)));
    break;
  case CODE_ASIN:
  case CODE_ACOS:
    BEGIN(y, base_wide_sqrt(MUL(SUB(one, a), ADD(one, a))));
    break;
  case CODE_ATAN2:
    BEGIN(y, ADD(MUL(a, a), MUL(FIRST(b), FIRST(b))));
    break;
  default:
    break;
  }
}

static void start(const code_jet* j, double* r, double* low, const jet_step* s)
{
  const at_order here = {.r = r, .low = low}, *o = &here;
  const base_wide a = FIRST(a);
  base_wide sine, cosine, w;
  switch (s->op) {
  case JET_SCALE:
    BEGIN(d, MUL(number(o, s), a));
    return;
  case JET_OVER:
    BEGIN(d, DIV(a, number(o, s)));
    return;
  case JET_AXPY:
    BEGIN(d, ADD(MUL(number(o, s), a), FIRST(c)));
    return;
  case JET_AXMY:
    BEGIN(d, SUB(MUL(number(o, s), a), FIRST(c)));
    return;
  case JET_POWER:
    BEGIN(d, base_wide_pow(a, FIRST(b)));
    return;
  case CODE_SIN:
  case CODE_SINCOS:
  case CODE_COS:
    base_wide_sincos(a, &sine, &cosine);
    BEGIN(d, s->op == CODE_COS ? cosine : sine);
    BEGIN(y, s->op == CODE_COS ? sine : cosine);
    return;
  case CODE_SINH:
  case CODE_COSH:
    base_wide_sinhcosh(a, &sine, &cosine);
    BEGIN(d, s->op == CODE_COSH ? cosine : sine);
    BEGIN(y, s->op == CODE_COSH ? sine : cosine);
    return;
  default:
    break;
  }
  w = code_wide_value(s->op, a, FIRST(b), FIRST(c));
  BEGIN(d, w);
  start_helper(j, o, s, w);
}
void code_wide_start(const code_jet* j, double* r, double* low)
{
  for (int i = 0; i < j->steps; i++) start(j, r, low, &j->step[i]);
  for (int i = 0; i < j->live; i++) r[j->live_at[i] + 1] = low[j->live_at[i] + 1] = 0;
}

// ---- the same for the processor at hand ---------------------------------------------------------

static void walk_anywhere(const code_jet* j, int k, double* r, double* low)
{
  walk(j, k, r, low, dot_anywhere);
}

static void multiply_anywhere(const code_jet* j, const double* r, const double* low, int k,
                              int count, const code_jet_product* list, base_wide* sum)
{
  multiply(j, r, low, k, count, list, sum, dot_anywhere);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void walk_avx2(const code_jet* j, int k, double* r,
                                                          double* low)
{
  walk(j, k, r, low, dot_avx2);
}

__attribute__((target("avx2,fma"))) static void multiply_avx2(const code_jet* j, const double* r,
                                                              const double* low, int k, int count,
                                                              const code_jet_product* list,
                                                              base_wide* sum)
{
  multiply(j, r, low, k, count, list, sum, dot_avx2);
}
#endif

void code_wide_choose(code_wide* w)
{
  w->run = walk_anywhere;
  w->products = multiply_anywhere;
#if defined(__x86_64__)
  if (BASE_HAS_AVX2 && BASE_HAS_FMA) {
    w->run = walk_avx2;
    w->products = multiply_avx2;
  }
#endif
}
