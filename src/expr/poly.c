// Arithmetic of polynomials: lists of terms sorted by their exponents, highest first.
#include "expr/poly.h"

// eight exponents at a time; rows are a multiple of eight long
static int compare(const expr_ring* r, const int8_t* a, const int8_t* b)
{
  for (int i = 0, n = expr_ring_used(r); i < n; i += 8) {
    uint64_t x, y;
    memcpy(&x, a + i, 8);
    memcpy(&y, b + i, 8);
    if (x == y) continue;
    int k = i;
    while (a[k] == b[k]) k++;
    return a[k] > b[k] ? -1 : 1;
  }
  return 0;
}

// Numbers and rows of a polynomial lie in one block, the rows behind the numbers: most have one or
// two terms, and what they cost is taking and giving back their blocks. So the ring keeps those of
// the smallest size.
enum { few = 8 }; // terms that a new one has room for

// a block that waits for the next polynomial of its ring
struct expr_poly_spare
{
  expr_poly_spare* next;
};
_Static_assert(few * sizeof(expr) >= sizeof(expr_poly_spare),
               "a spare block has room for its link");

void expr_poly_free(expr_ring* r, expr_poly* a)
{
  if (a->room == few) {
    expr_poly_spare* s = (void*)a->coef;
    s->next = r->spare;
    r->spare = s;
  } else {
    free(a->coef);
  }
  *a = (expr_poly){0};
}

void expr_poly_free_spare(expr_ring* r)
{
  for (expr_poly_spare* next; r->spare; r->spare = next) {
    next = r->spare->next;
    free(r->spare);
  }
}

static size_t size_of(const expr_ring* r, int room)
{
  return (size_t)room * (sizeof(expr) + (size_t)r->width);
}

static void grow(expr_ring* r, expr_poly* a, int room)
{
  if (room == few && !a->room && r->spare) {
    a->coef = (expr*)r->spare;
    r->spare = r->spare->next;
  } else {
    a->coef = base_realloc(a->coef, size_of(r, room));
  }
  a->power = (int8_t*)(a->coef + room);
  if (a->n) memmove(a->power, a->coef + a->room, (size_t)a->n * (size_t)r->width);
  a->room = room;
}

void expr_poly_push(expr_ring* r, expr_poly* a, expr coef, const int8_t* power)
{
  if (a->n == a->room) grow(r, a, a->room ? 2 * a->room : few);
  memcpy(expr_poly_row(r, a, a->n), power, (size_t)r->width);
  a->coef[a->n++] = coef;
}

expr_poly expr_poly_copy(expr_ring* r, const expr_poly* a)
{
  expr_poly b = {0};
  if (!a->n) return b;
  grow(r, &b, a->n > few ? a->n : few);
  memcpy(b.coef, a->coef, (size_t)a->n * sizeof *b.coef);
  memcpy(b.power, a->power, (size_t)a->n * (size_t)r->width);
  b.n = a->n;
  return b;
}

typedef struct sorting
{
  const expr_ring* r;
  const expr_poly* a;
} sorting;

static int by_row(const void* x, const void* y, void* context)
{
  const sorting* s = context;
  int i = *(const int*)x, k = *(const int*)y;
  int c = compare(s->r, expr_poly_row(s->r, s->a, i), expr_poly_row(s->r, s->a, k));
  return c ? c : i - k;
}

void expr_poly_tidy(expr_ring* r, expr_poly* a)
{
  bool sorted = true;
  for (int i = 1; i < a->n && sorted; i++)
    sorted = compare(r, expr_poly_row(r, a, i - 1), expr_poly_row(r, a, i)) < 0;
  r->work -= a->n;
  if (r->work < 0) r->failed = true;
  if (sorted) return;
  int* order = base_alloc((size_t)a->n * sizeof *order);
  for (int i = 0; i < a->n; i++) order[i] = i;
  sorting s = {r, a};
  qsort_r(order, (size_t)a->n, sizeof *order, by_row, &s);
  expr_poly out = {0};
  for (int i = 0; i < a->n;) {
    const int8_t* row = expr_poly_row(r, a, order[i]);
    expr coef = EXPR_ZERO;
    for (; i < a->n && compare(r, row, expr_poly_row(r, a, order[i])) == 0; i++)
      coef = expr_q_add(r->p, coef, a->coef[order[i]]);
    if (coef != EXPR_ZERO) expr_poly_push(r, &out, coef, row);
  }
  free(order);
  expr_poly_free(r, a);
  *a = out;
  if (a->n > EXPR_POLY_TERMS) r->failed = true;
}

expr_poly expr_poly_number(expr_ring* r, expr number)
{
  expr_poly a = {0};
  int8_t row[r->width];
  memset(row, 0, sizeof row);
  if (number != EXPR_ZERO) expr_poly_push(r, &a, number, row);
  return a;
}

expr_poly expr_poly_kernel(expr_ring* r, int kernel, int power)
{
  expr_poly a = {0};
  int8_t row[r->width];
  assert(kernel >= 0 && kernel < r->kernel.n);
  memset(row, 0, sizeof row);
  if (power > 100 || power < -100) r->failed = true;
  row[kernel] = (int8_t)power;
  expr_poly_push(r, &a, EXPR_ONE, row);
  return a;
}

void expr_poly_add(expr_ring* r, expr_poly* a, const expr_poly* b, expr times)
{
  if (times == EXPR_ZERO) return;
  for (int i = 0; i < b->n; i++)
    expr_poly_push(r, a, expr_q_mul(r->p, times, b->coef[i]), expr_poly_row(r, b, i));
  expr_poly_tidy(r, a);
}

// row = a + b; the exponents must stay small
static void add_rows(expr_ring* r, int8_t* row, const int8_t* a, const int8_t* b)
{
  bool far = false;
  for (int i = 0, n = expr_ring_used(r); i < n; i++) {
    const int e = a[i] + b[i];
    far |= e > 100 || e < -100;
    row[i] = (int8_t)e;
  }
  if (far) r->failed = true;
}

expr_poly expr_poly_mul(expr_ring* r, const expr_poly* a, const expr_poly* b)
{
  expr_poly out = {0};
  int8_t row[r->width];
  memset(row, 0, sizeof row);
  long products = (long)a->n * b->n;
  r->work -= products;
  if (r->work < 0 || products > 16 * EXPR_POLY_TERMS) r->failed = true;
  for (int i = 0; i < a->n && !r->failed; i++)
    for (int k = 0; k < b->n; k++) {
      add_rows(r, row, expr_poly_row(r, a, i), expr_poly_row(r, b, k));
      expr_poly_push(r, &out, expr_q_mul(r->p, a->coef[i], b->coef[k]), row);
    }
  expr_poly_tidy(r, &out);
  return out;
}

expr_poly expr_poly_pow(expr_ring* r, const expr_poly* a, int n)
{
  assert(n >= 0);
  expr_poly out = expr_poly_number(r, EXPR_ONE);
  for (int i = 0; i < n && !r->failed; i++) {
    expr_poly next = expr_poly_mul(r, &out, a);
    expr_poly_free(r, &out);
    out = next;
  }
  return out;
}

int expr_poly_find(const expr_ring* r, const expr_poly* a, const int8_t* row)
{
  int low = 0, high = a->n - 1;
  while (low <= high) {
    int mid = (low + high) / 2, c = compare(r, row, expr_poly_row(r, a, mid));
    if (c == 0) return mid;
    if (c < 0)
      high = mid - 1;
    else
      low = mid + 1;
  }
  return -1;
}

// row = a - b; false when an exponent would be negative
static bool divide_rows(const expr_ring* r, int8_t* row, const int8_t* a, const int8_t* b)
{
  bool whole = true;
  for (int i = 0, n = expr_ring_used(r); i < n; i++) {
    whole &= a[i] >= b[i];
    row[i] = (int8_t)(a[i] - b[i]);
  }
  return whole;
}

// Division by the leading term over and over: in a lexicographic order the first term that the
// leading term of b does not divide shows that there is a rest.
bool expr_poly_divide(expr_ring* r, const expr_poly* a, const expr_poly* b, expr_poly* out)
{
  expr_poly rest = expr_poly_copy(r, a);
  int8_t row[r->width];
  memset(row, 0, sizeof row);
  bool exact = b->n > 0;
  *out = (expr_poly){0};
  while (exact && rest.n && !r->failed) {
    exact = divide_rows(r, row, expr_poly_row(r, &rest, 0), expr_poly_row(r, b, 0));
    if (!exact) break;
    expr c = expr_q_mul(r->p, rest.coef[0], expr_q_inverse(r->p, b->coef[0]));
    expr_poly term = {0};
    expr_poly_push(r, &term, c, row);
    expr_poly_push(r, out, c, row);
    expr_poly product = expr_poly_mul(r, &term, b);
    expr_poly_add(r, &rest, &product, EXPR_MINUS_ONE);
    expr_poly_free(r, &product);
    expr_poly_free(r, &term);
    exact = out->n <= 400;
  }
  exact = exact && !r->failed;
  expr_poly_free(r, &rest);
  if (!exact) expr_poly_free(r, out);
  return exact;
}

// the square root of a rational, if it is rational
static expr number_root(expr_pool* p, expr c)
{
  if (c == EXPR_ONE) return c;
  if (expr_q_sign(p, c) < 0) return EXPR_NONE;
  mpq_t q;
  mpq_init(q);
  expr_q_get(p, c, q);
  expr s = EXPR_NONE;
  if (mpz_perfect_square_p(mpq_numref(q)) && mpz_perfect_square_p(mpq_denref(q))) {
    mpz_sqrt(mpq_numref(q), mpq_numref(q));
    mpz_sqrt(mpq_denref(q), mpq_denref(q));
    s = expr_q_put(p, q);
  }
  mpq_clear(q);
  return s;
}

// the square root of a term, if it is one; EXPR_NONE where it is none
static expr term_root(expr_ring* r, expr coef, const int8_t* power, int8_t* row)
{
  for (int i = 0; i < r->kernel.n; i++) {
    if (power[i] % 2) return EXPR_NONE;
    row[i] = (int8_t)(power[i] / 2);
  }
  return number_root(r->p, coef);
}

// Term by term from the leading one: q1 = sqrt(lead a), then q_k = lead(a - q^2) / (2 q1). The last
// term of a square is that of the last one.
bool expr_poly_root(expr_ring* r, const expr_poly* a, expr_poly* out)
{
  *out = (expr_poly){0};
  int8_t row[r->width];
  if (a->n < 3 || a->n > 60) return false;
  memset(row, 0, sizeof row);
  if (!term_root(r, a->coef[a->n - 1], expr_poly_row(r, a, a->n - 1), row)) return false;
  const expr c = term_root(r, a->coef[0], expr_poly_row(r, a, 0), row);
  if (!c) return false;
  expr_poly_push(r, out, c, row);
  expr_poly rest = expr_poly_copy(r, a), square = expr_poly_mul(r, out, out);
  expr_poly_add(r, &rest, &square, EXPR_MINUS_ONE);
  expr_poly_free(r, &square);
  expr half = expr_q_inverse(r->p, expr_q_mul(r->p, EXPR_TWO, c));
  bool exact = true;
  while (exact && rest.n && !r->failed) {
    exact = divide_rows(r, row, expr_poly_row(r, &rest, 0), expr_poly_row(r, out, 0));
    if (!exact || out->n > 10) {
      exact = false;
      break;
    }
    // (q + t)^2 - q^2 = t (2 q + t)
    expr_poly term = {0};
    expr_poly_push(r, &term, expr_q_mul(r->p, rest.coef[0], half), row);
    expr_poly twice = expr_poly_copy(r, &term);
    expr_poly_add(r, &twice, out, EXPR_TWO);
    expr_poly product = expr_poly_mul(r, &term, &twice);
    expr_poly_add(r, &rest, &product, EXPR_MINUS_ONE);
    expr_poly_push(r, out, term.coef[0], row);
    expr_poly_free(r, &product);
    expr_poly_free(r, &twice);
    expr_poly_free(r, &term);
  }
  exact = exact && !r->failed;
  expr_poly_free(r, &rest);
  if (!exact) expr_poly_free(r, out);
  return exact;
}

// sin^a / cos^b as powers of the tangent; *row loses what was written
static void push_tangents(expr_ring* r, int8_t* row, expr_list* factors)
{
  expr_pool* p = r->p;
  for (int i = 0; i < r->kernel.n; i++) {
    expr_kernel k = r->kernel.at[i];
    if (k.kind != EXPR_KERNEL_SINE || row[i] * row[k.pair] >= 0) continue;
    int s = row[i], c = row[k.pair], power = abs(s) < abs(c) ? abs(s) : abs(c);
    if (s < 0) power = -power;
    expr u = expr_args_at(p, k.e)[0];
    expr t = expr_fn1(p, k.sign > 0 ? EXPR_TAN : EXPR_TANH, u);
    expr_list_push(factors, expr_pow(p, t, expr_int(p, power)));
    row[i] = (int8_t)(s - power);
    row[k.pair] = (int8_t)(c + power);
  }
}

// a minus sign goes into a closed sum that has signs of both kinds
static expr kernel_power(expr_ring* r, int kernel, int power, expr* coef)
{
  expr_pool* p = r->p;
  expr_kernel k = r->kernel.at[kernel];
  if (k.kind == EXPR_KERNEL_SUM && power == 1 && expr_q_sign(p, *coef) < 0) {
    expr turned = expr_neg(p, k.e);
    if (!expr_is_all_minus(p, turned)) {
      *coef = expr_q_neg(p, *coef);
      return turned;
    }
  }
  return expr_pow(p, k.e, expr_int(p, power));
}

static expr write_term(expr_ring* r, expr coef, const int8_t* row)
{
  expr_list factors;
  expr_list_start(&factors);
  int8_t left[r->width];
  memcpy(left, row, sizeof left);
  push_tangents(r, left, &factors);
  for (int i = 0; i < r->kernel.n; i++)
    if (left[i]) expr_list_push(&factors, kernel_power(r, i, left[i], &coef));
  expr_list_push(&factors, coef);
  expr e = expr_product(r->p, factors.n, factors.at);
  expr_list_end(&factors);
  return e;
}

// Forms of a polynomial are written in several ways, of the same terms: those written last are kept
// in places by their hash.
enum { most_written = 64 };

typedef struct written
{
  expr coef[most_written], value[most_written]; // of the key, none: empty; and the term
  int8_t row[];
} written;

static size_t place_of(const expr_ring* r, expr coef, const int8_t* row)
{
  uint64_t h = coef;
  for (int i = 0, n = expr_ring_used(r); i < n; i += 8) {
    uint64_t part;
    memcpy(&part, row + i, sizeof part);
    h = (h ^ part) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return (size_t)(h % most_written);
}

expr expr_poly_term(expr_ring* r, expr coef, const int8_t* row)
{
  const size_t width = (size_t)r->width;
  if (!r->terms) r->terms = base_alloc(sizeof(written) + most_written * width);
  written* w = r->terms;
  const size_t at = place_of(r, coef, row);
  int8_t* known = w->row + at * width;
  if (w->coef[at] == coef && !compare(r, known, row)) return w->value[at];
  memcpy(known, row, width);
  w->coef[at] = coef;
  return w->value[at] = write_term(r, coef, row);
}
