// Which kernels an expression is made of, and the expression as a polynomial over them.
#include "expr/ring.h"

#define MOST_KERNELS 100
#define MOST_DEPTH   60
#define MOST_POWER   24

// ---- kernels ------------------------------------------------------------------------------------

int expr_ring_find(const expr_ring* r, expr e)
{
  return (int)expr_map_get(&r->index, e) - 1;
}

static bool has_prime(const expr_pool* p, expr symbol)
{
  return strchr(expr_name(p, symbol), '\'') != NULL;
}

static expr_kernel kernel_of(expr_pool* p, expr e)
{
  expr_kernel k = {.e = e, .kind = EXPR_KERNEL_OTHER, .pair = -1};
  const expr_node* node = expr_at(p, e);
  if (node->kind == EXPR_SYMBOL || node->kind == EXPR_PI) {
    k.kind = node->kind == EXPR_SYMBOL && has_prime(p, e) ? EXPR_KERNEL_RATE : EXPR_KERNEL_SYMBOL;
  } else if (node->kind == EXPR_SUM) {
    k.kind = EXPR_KERNEL_SUM;
  } else if (node->kind == EXPR_POWER) {
    expr inverse = expr_kind_at(p, expr_args_at(p, e)[1]) == EXPR_NUMBER
                       ? expr_q_inverse(p, expr_args_at(p, e)[1])
                       : EXPR_NONE;
    long below;
    if (inverse && expr_is_int(p, inverse, &below) && below > 1 && below <= MOST_POWER) {
      k.kind = EXPR_KERNEL_ROOT;
      k.below = (int)below;
    }
  } else if (node->kind == EXPR_CALL) {
    expr_fn f = (expr_fn)node->fn;
    if (f == EXPR_SIN || f == EXPR_SINH) k.kind = EXPR_KERNEL_SINE;
    if (f == EXPR_COS || f == EXPR_COSH) k.kind = EXPR_KERNEL_COSINE;
    if (f == EXPR_ABS) k.kind = EXPR_KERNEL_ABS;
    k.sign = f == EXPR_SIN || f == EXPR_COS ? 1 : -1;
  }
  return k;
}

static int add_one(expr_ring* r, expr e)
{
  int i = expr_ring_find(r, e);
  if (i >= 0) return i;
  if (r->width && r->kernel.n == r->width) return -1;
  base_push(&r->kernel, kernel_of(r->p, e));
  expr_map_set(&r->index, e, (uint32_t)r->kernel.n);
  return r->kernel.n - 1;
}

// a sine brings its cosine and the other way round
int expr_ring_add(expr_ring* r, expr e)
{
  int i = expr_ring_find(r, e);
  if (i >= 0) return i;
  expr_kernel k = kernel_of(r->p, e);
  bool sine = k.kind == EXPR_KERNEL_SINE, cosine = k.kind == EXPR_KERNEL_COSINE;
  if (r->width && r->kernel.n + 1 + (sine || cosine) > r->width) return -1;
  i = add_one(r, e);
  if (!sine && !cosine) return i;
  expr_fn f = sine ? (k.sign > 0 ? EXPR_COS : EXPR_COSH) : (k.sign > 0 ? EXPR_SIN : EXPR_SINH);
  expr argument = expr_args_at(r->p, e)[0];
  int other = add_one(r, expr_intern(r->p, EXPR_CALL, f, 1, &argument, EXPR_NONE));
  if (r->p->full) r->failed = true;
  if (r->failed || other == i) return -1;
  r->kernel.at[i].pair = other;
  r->kernel.at[other].pair = i;
  return i;
}

// ---- reading an expression ----------------------------------------------------------------------

expr_poly expr_reading_of_kernel(expr_reading* x, expr e, int power)
{
  expr_poly none = {0};
  if (x->collect) {
    if (expr_ring_add(x->r, e) < 0 || x->r->kernel.n > MOST_KERNELS) x->r->failed = true;
    return none;
  }
  return expr_poly_kernel(x->r, expr_ring_find(x->r, e), power);
}

static expr_poly of_sum(expr_reading* x, expr e)
{
  expr_poly out = {0};
  uint32_t n = expr_at(x->r->p, e)->n;
  for (uint32_t i = 0; i < n && !x->r->failed; i++) {
    expr_poly a = expr_reading_read(x, expr_args_at(x->r->p, e)[i]);
    for (int k = 0; k < a.n; k++) expr_poly_push(x->r, &out, a.coef[k], expr_poly_row(x->r, &a, k));
    expr_poly_free(x->r, &a);
  }
  if (!x->collect) expr_poly_tidy(x->r, &out);
  return out;
}

expr_poly expr_reading_times(expr_reading* x, expr_poly a, expr_poly b)
{
  expr_poly out = {0};
  if (!x->collect && !x->r->failed) out = expr_poly_mul(x->r, &a, &b);
  expr_poly_free(x->r, &a);
  expr_poly_free(x->r, &b);
  return out;
}

expr_poly expr_reading_one(expr_reading* x)
{
  return x->collect ? (expr_poly){0} : expr_poly_number(x->r, EXPR_ONE);
}

// a symbol, to a whole power that a row can hold?
static bool is_plain_factor(const expr_reading* x, expr e, long* power)
{
  const expr_pool* p = x->r->p;
  return expr_kind_at(p, expr_base(p, e)) == EXPR_SYMBOL &&
         expr_is_int(p, expr_exponent(p, e), power) && *power <= MOST_POWER &&
         *power >= -MOST_POWER;
}

// numbers and powers of symbols as one term
static expr_poly plain_factors(expr_reading* x, uint32_t n, expr e)
{
  expr_poly out = {0};
  int8_t row[x->r->width];
  expr number = EXPR_ONE;
  memset(row, 0, sizeof row);
  for (uint32_t i = 0; i < n; i++) {
    const expr f = expr_args_at(x->r->p, e)[i];
    long power;
    if (expr_kind_at(x->r->p, f) == EXPR_NUMBER)
      number = expr_q_mul(x->r->p, number, f);
    else if (is_plain_factor(x, f, &power))
      row[expr_ring_find(x->r, expr_base(x->r->p, f))] = (int8_t)power;
  }
  expr_poly_push(x->r, &out, number, row);
  return out;
}

static expr_poly of_product(expr_reading* x, expr e)
{
  const uint32_t n = expr_at(x->r->p, e)->n;
  expr_poly out = x->collect ? (expr_poly){0} : plain_factors(x, n, e);
  for (uint32_t i = 0; i < n && !x->r->failed; i++) {
    const expr f = expr_args_at(x->r->p, e)[i];
    long power;
    if (!x->collect && (expr_kind_at(x->r->p, f) == EXPR_NUMBER || is_plain_factor(x, f, &power)))
      continue;
    out = expr_reading_times(x, out, expr_reading_read(x, f));
  }
  return out;
}

static expr_poly raised(expr_reading* x, expr_poly a, long n)
{
  expr_poly out = expr_reading_one(x);
  if (!x->collect && !x->r->failed) {
    expr_poly_free(x->r, &out);
    out = expr_poly_pow(x->r, &a, (int)n);
  }
  expr_poly_free(x->r, &a);
  return out;
}

// what all terms of S must be multiplied by so that none holds 1/f, f no sum
static expr lifting(expr_pool* p, expr sum)
{
  expr_map power = {0};
  expr m = EXPR_ONE;
  uint32_t n = expr_at(p, sum)->n;
  for (uint32_t i = 0; i < n; i++) {
    expr t = expr_args_at(p, sum)[i];
    uint32_t count = expr_kind_at(p, t) == EXPR_PRODUCT ? expr_at(p, t)->n : 1;
    for (uint32_t k = 0; k < count; k++) {
      expr f = expr_kind_at(p, t) == EXPR_PRODUCT ? expr_args_at(p, t)[k] : t;
      expr base = expr_base(p, f), e = expr_exponent(p, f);
      long now = (long)expr_map_get(&power, base), want;
      if (expr_kind_at(p, base) == EXPR_SUM || !expr_is_int(p, e, &want)) continue;
      if (-want <= now || -want > MOST_POWER) continue;
      m = expr_mul(p, m, expr_pow(p, base, expr_int(p, -want - now)));
      expr_map_set(&power, base, (uint32_t)-want);
    }
  }
  expr_map_free(&power);
  return m;
}

static expr scaled_terms(expr_pool* p, expr sum, expr by)
{
  expr_list terms;
  expr_list_start(&terms);
  uint32_t n = expr_at(p, sum)->n;
  for (uint32_t i = 0; i < n; i++) expr_list_push(&terms, expr_mul(p, by, expr_args_at(p, sum)[i]));
  expr e = expr_sum(p, terms.n, terms.at);
  expr_list_end(&terms);
  return e;
}

// S^n for a sum that stays closed: its numbers come out, its sign becomes the one a person writes
static expr_poly closed_sum(expr_reading* x, expr sum, long n)
{
  expr_pool* p = x->r->p;
  expr content = EXPR_NONE;
  uint32_t count = expr_at(p, sum)->n;
  for (uint32_t i = 0; i < count; i++) {
    expr t = expr_args_at(p, sum)[i];
    expr c = expr_kind_at(p, t) == EXPR_NUMBER ? t : expr_coef(p, t);
    content = expr_q_gcd(p, content ? content : c, c);
  }
  if (expr_is_minus(p, sum)) content = expr_q_neg(p, content);
  if (content == EXPR_ZERO) content = EXPR_ONE;
  if (content != EXPR_ONE) sum = scaled_terms(p, sum, expr_q_inverse(p, content));
  if (x->collect && x->r->mode != EXPR_RING_OPAQUE) expr_reading_read(x, sum);
  expr_poly a = expr_reading_of_kernel(x, sum, (int)n);
  if (x->collect || content == EXPR_ONE) return a;
  expr c = expr_q_pow(p, content, n);
  if (!c) {
    x->r->failed = true;
    return a;
  }
  return expr_reading_times(x, a, expr_poly_number(x->r, c));
}

// 1 / (1/x + 1/y)^n = (x y)^n / (x + y)^n
static expr_poly below_line(expr_reading* x, expr sum, long n)
{
  expr_pool* p = x->r->p;
  expr by = lifting(p, sum);
  if (by == EXPR_ONE) return closed_sum(x, sum, -n);
  expr lifted = scaled_terms(p, sum, by);
  if (!lifted || expr_kind_at(p, lifted) != EXPR_SUM) {
    x->r->failed = true;
    return (expr_poly){0};
  }
  expr_poly above = expr_reading_read(x, expr_pow(p, by, expr_int(p, n)));
  return expr_reading_times(x, above, closed_sum(x, lifted, -n));
}

// base^(above/below) over the kernel base^(1/below)
static expr_poly of_fraction(expr_reading* x, expr base, expr exponent)
{
  expr_pool* p = x->r->p;
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, exponent, q);
  bool small =
      mpz_cmpabs_ui(mpq_numref(q), MOST_POWER) <= 0 && mpz_cmp_ui(mpq_denref(q), MOST_POWER) <= 0;
  long above = small ? mpz_get_si(mpq_numref(q)) : 0, below = small ? mpz_get_si(mpq_denref(q)) : 1;
  mpq_clear(q);
  if (!small) return expr_reading_of_kernel(x, expr_intern_power(p, base, exponent), 1);
  expr root = expr_intern_power(p, base, expr_ratio(p, 1, below));
  if (p->full) x->r->failed = true;
  // the power `below` of the root brings in the kernels of the base
  if (x->collect) expr_reading_read(x, base);
  return expr_reading_of_kernel(x, root, (int)above);
}

static bool is_closed(const expr_reading* x, expr e)
{
  return x->r->mode == EXPR_RING_OPAQUE && e != x->r->top && expr_kind_at(x->r->p, e) == EXPR_SUM;
}

static expr_poly of_power(expr_reading* x, expr e)
{
  expr_pool* p = x->r->p;
  expr base = expr_args_at(p, e)[0], exponent = expr_args_at(p, e)[1];
  long n;
  if (expr_kind_at(p, exponent) != EXPR_NUMBER) return expr_reading_of_kernel(x, e, 1);
  if (!expr_q_is_whole(p, exponent)) return of_fraction(x, base, exponent);
  if (!expr_is_int(p, exponent, &n) || n > MOST_POWER || n < -MOST_POWER)
    return expr_reading_of_kernel(x, e, 1);
  if (n > 0 && is_closed(x, base)) return closed_sum(x, base, n);
  if (n > 0) return raised(x, expr_reading_read(x, base), n);
  if (expr_kind_at(p, base) == EXPR_SUM) return below_line(x, base, -n);
  if (expr_is_fn(p, base, EXPR_TAN) || expr_is_fn(p, base, EXPR_TANH)) {
    // 1/tan = cos/sin
    expr_fn s = expr_is_fn(p, base, EXPR_TAN) ? EXPR_SIN : EXPR_SINH;
    expr_fn c = expr_is_fn(p, base, EXPR_TAN) ? EXPR_COS : EXPR_COSH;
    expr u = expr_args_at(p, base)[0];
    expr sine = expr_intern(p, EXPR_CALL, s, 1, &u, EXPR_NONE);
    expr cosine = expr_intern(p, EXPR_CALL, c, 1, &u, EXPR_NONE);
    return expr_reading_times(x, expr_reading_of_kernel(x, sine, (int)n),
                              expr_reading_of_kernel(x, cosine, (int)-n));
  }
  // over one line it may come above that, and its square brings in the kernels inside it
  if (x->collect && expr_is_fn(p, base, EXPR_ABS)) expr_reading_read(x, base);
  return expr_reading_of_kernel(x, base, (int)n);
}

expr_poly expr_reading_read(expr_reading* x, expr e)
{
  expr_poly out = {0};
  expr_pool* p = x->r->p;
  if (x->r->failed || ++x->depth > MOST_DEPTH || p->full || --x->r->work < 0) {
    x->r->failed = true;
    return out;
  }
  switch (expr_kind_at(p, e)) {
  case EXPR_NUMBER:
    if (!x->collect) out = expr_poly_number(x->r, e);
    break;
  case EXPR_SUM:
    out = is_closed(x, e) ? closed_sum(x, e, 1) : of_sum(x, e);
    break;
  case EXPR_PRODUCT:
    out = of_product(x, e);
    break;
  case EXPR_POWER:
    out = of_power(x, e);
    break;
  case EXPR_CALL:
    out = expr_reading_of_call(x, e);
    break;
  default:
    out = expr_reading_of_kernel(x, e, 1);
    break;
  }
  x->depth--;
  return out;
}

// ---- the ring -----------------------------------------------------------------------------------

static void collect(expr_ring* r, int n, const expr* e)
{
  for (int i = 0; i < n; i++) {
    expr_reading x = {r, true, 0};
    expr_reading_read(&x, e[i]);
  }
}

bool expr_ring_of(expr_ring* r, expr_pool* p, int n, const expr* e, expr_ring_mode mode, long work)
{
  *r = (expr_ring){.p = p, .work = work, .top = e[0]};
  if (mode == EXPR_RING_OPAQUE) r->mode = mode;
  collect(r, n, e);
  if (mode == EXPR_RING_SPLIT && !r->failed) {
    // the units of the angles are known only now
    base_list_free(&r->kernel);
    expr_map_free(&r->index);
    r->mode = mode;
    collect(r, n, e);
  }
  // room for the sine and cosine of sums and differences of angles
  int angles = 0;
  for (int i = 0; i < r->kernel.n; i++) angles += r->kernel.at[i].kind == EXPR_KERNEL_SINE;
  int spare = 2 * angles * angles;
  if (spare > EXPR_RING_SPARE) spare = EXPR_RING_SPARE;
  expr_poly_free_spare(r); // of rows without kernels
  r->width = (r->kernel.n + spare) / 8 * 8 + 8;
  return !r->failed;
}

void expr_ring_free(expr_ring* r)
{
  expr_poly_free_spare(r);
  free(r->terms);
  base_list_free(&r->kernel);
  expr_map_free(&r->index);
  expr_map_free(&r->unit);
}

expr_poly expr_poly_of(expr_ring* r, expr e)
{
  expr_reading x = {r, false, 0};
  return expr_reading_read(&x, e);
}
