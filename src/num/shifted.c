// I - g J for a sparse or full J, as Newton's iteration of an implicit method asks for it.
//
// Where J has few entries: LU by fronts. Its pivots are looked for inside of a front only, which is
// tried on a right-hand side; where that does not hold, and where J is full, the matrix is dense.
// Then unknowns whose rows in J hold few others, and not themselves, are put in first, as places
// are, whose rates are velocities:
//   x + B y = b,  C x + H y = c  ->  (H - C B) y = c - C b
// which leaves half of the unknowns of a mechanical system, and an eighth of the work.
#include "num/fronts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { few_entries = 8 };
// with more of its entries the fronts would be one
static const double full_share = 0.1;
// what may be left of a right-hand side, in terms of its sums
static const double well_solved = 1e-8;

struct num_shifted
{
  int n;
  const int *start, *row; // of J, column by column
  num_fronts* fronts;     // null: dense
  double* trial;          // 3n: a right-hand side, what is left of it, its terms
  // dense
  int light, heavy, side; // side: heavy rounded up
  int* number;            // of an unknown among its like
  bool* is_light;
  int *near_start, *near; // entries of light rows: places in J's values
  int* column_of;         // of an entry of J
  double g;
  const double* J;
  double* S; // what is left, row by row
  int* swap;
  double* put; // side
};

// ---- dense --------------------------------------------------------------------------------------

// Light are rows of few entries, none of them on the diagonal or in the column of another light
// one.
static void find_light(num_shifted* s)
{
  const int n = s->n;
  int* count = base_alloc(sizeof(int) * (size_t)(n + 1));
  for (int k = 0; k < s->start[n]; k++) count[s->row[k]]++;
  s->near_start = base_alloc(sizeof(int) * (size_t)(n + 2));
  for (int i = 0; i < n; i++) s->near_start[i + 1] = s->near_start[i] + count[i];
  s->near = base_alloc(sizeof(int) * (size_t)(s->start[n] + 1));
  s->column_of = base_alloc(sizeof(int) * (size_t)(s->start[n] + 1));
  memset(count, 0, sizeof(int) * (size_t)n);
  for (int j = 0; j < n; j++)
    for (int k = s->start[j]; k < s->start[j + 1]; k++) {
      const int i = s->row[k];
      s->near[s->near_start[i] + count[i]++] = k;
      s->column_of[k] = j;
    }
  // asked: light, or held by a light row
  bool* asked = base_alloc((size_t)n + 1);
  for (int i = 0; i < n; i++) {
    bool light = count[i] <= few_entries && !asked[i];
    for (int k = s->near_start[i]; k < s->near_start[i + 1] && light; k++)
      light = !s->is_light[s->column_of[s->near[k]]] && s->column_of[s->near[k]] != i;
    s->is_light[i] = light;
    for (int k = s->near_start[i]; k < s->near_start[i + 1] && light; k++)
      asked[s->column_of[s->near[k]]] = true;
  }
  for (int i = 0; i < n; i++) s->number[i] = s->is_light[i] ? s->light++ : s->heavy++;
  free(asked);
  free(count);
}

static void make_dense(num_shifted* s)
{
  const size_t n = (size_t)s->n;
  num_fronts_free(s->fronts);
  s->fronts = NULL;
  s->number = base_alloc(sizeof(int) * (n + 1));
  s->is_light = base_alloc(n + 1);
  find_light(s);
  s->side = (s->heavy + NUM_FRONT_STEP - 1) / NUM_FRONT_STEP * NUM_FRONT_STEP;
  s->S = base_alloc(sizeof(double) * ((size_t)s->side * (size_t)s->side + 1));
  s->swap = base_alloc(sizeof(int) * (size_t)(s->side + 1));
  s->put = base_alloc(sizeof(double) * (size_t)(s->side + 1));
}

// row i of J goes by `by` to row r of what is left
static void add_light_row(num_shifted* s, int i, double by, double* r)
{
  for (int k = s->near_start[i]; k < s->near_start[i + 1]; k++) {
    const int at = s->near[k];
    r[s->number[s->column_of[at]]] -= by * s->J[at];
  }
}

static bool factor_dense(num_shifted* s)
{
  const size_t side = (size_t)s->side;
  memset(s->S, 0, sizeof(double) * side * side);
  for (size_t i = 0; i < side; i++) s->S[i * side + i] = 1;
  for (int j = 0; j < s->n; j++)
    for (int k = s->start[j]; k < s->start[j + 1]; k++) {
      const int i = s->row[k];
      if (!s->is_light[i] && !s->is_light[j])
        s->S[(size_t)s->number[i] * side + (size_t)s->number[j]] -= s->g * s->J[k];
    }
  // C B with C = -g J, B = -g J
  for (int j = 0; j < s->n; j++)
    for (int k = s->start[j]; k < s->start[j + 1] && s->is_light[j]; k++)
      if (!s->is_light[s->row[k]])
        add_light_row(s, j, s->g * s->g * s->J[k], s->S + (size_t)s->number[s->row[k]] * side);
  return num_fronts_dense(s->side, s->side, s->S, s->swap);
}

static void solve_left(const num_shifted* s, double* x)
{
  const size_t side = (size_t)s->side;
  for (size_t k = 0; k < side; k++) {
    const double kept = x[k];
    x[k] = x[s->swap[k]];
    x[s->swap[k]] = kept;
  }
  for (size_t i = 1; i < side; i++) {
    double sum = 0;
    for (size_t j = 0; j < i; j++) sum += s->S[i * side + j] * x[j];
    x[i] -= sum;
  }
  for (size_t i = side; i-- > 0;) {
    double sum = 0;
    for (size_t j = i + 1; j < side; j++) sum += s->S[i * side + j] * x[j];
    x[i] = (x[i] - sum) / s->S[i * side + i];
  }
}

static void solve_dense(const num_shifted* s, double* x)
{
  memset(s->put, 0, sizeof(double) * (size_t)s->side);
  for (int i = 0; i < s->n; i++)
    if (!s->is_light[i]) s->put[s->number[i]] += x[i];
  for (int j = 0; j < s->n; j++)
    for (int k = s->start[j]; k < s->start[j + 1] && s->is_light[j]; k++)
      if (!s->is_light[s->row[k]]) s->put[s->number[s->row[k]]] += s->g * s->J[k] * x[j];
  solve_left(s, s->put);
  for (int i = 0; i < s->n; i++) {
    if (!s->is_light[i]) {
      x[i] = s->put[s->number[i]];
      continue;
    }
    for (int k = s->near_start[i]; k < s->near_start[i + 1]; k++) {
      const int at = s->near[k];
      x[i] += s->g * s->J[at] * s->put[s->number[s->column_of[at]]];
    }
  }
}

// ---- sparse -------------------------------------------------------------------------------------

typedef BASE_LIST(int) numbers;

static int compare_ints(const void* a, const void* b)
{
  return *(const int*)a - *(const int*)b;
}

// behind `all`, ascending and each once
static void add_in_order(numbers* some, numbers* all)
{
  qsort(some->at, (size_t)some->n, sizeof(int), compare_ints);
  for (int k = 0; k < some->n; k++)
    if (!k || some->at[k] != some->at[k - 1]) base_push(all, some->at[k]);
}

// neighbours by the pattern of J and its transpose, and themselves; false: no order
static bool make_fronts(num_shifted* s)
{
  const int n = s->n;
  numbers *near = base_alloc(sizeof *near * (size_t)(n + 1)), all = {0};
  int *size = base_alloc(sizeof(int) * (size_t)(n + 1)),
      *start = base_alloc(sizeof(int) * (size_t)(n + 2));
  for (int j = 0; j < n; j++) {
    size[j] = 1;
    base_push(&near[j], j);
    for (int k = s->start[j]; k < s->start[j + 1]; k++) {
      base_push(&near[j], s->row[k]);
      base_push(&near[s->row[k]], j);
    }
  }
  for (int i = 0; i < n; i++) {
    add_in_order(&near[i], &all);
    start[i + 1] = all.n;
    base_list_free(&near[i]);
  }
  s->fronts = num_fronts_new();
  const bool fine = num_fronts_pattern(s->fronts, n, size, &(num_rows){start, all.at});
  base_list_free(&all);
  free(near);
  free(size);
  free(start);
  return fine;
}

// is a right-hand side given back by the factors?
static bool holds(num_shifted* s)
{
  double *x = s->trial, *left = x + s->n, *terms = left + s->n;
  for (int i = 0; i < s->n; i++) left[i] = terms[i] = x[i] = i % 3 - 1 + 0.25 * (i % 5);
  num_fronts_solve(s->fronts, x);
  for (int i = 0; i < s->n; i++) {
    left[i] -= x[i];
    terms[i] = fabs(terms[i]) + fabs(x[i]);
  }
  for (int j = 0; j < s->n; j++)
    for (int k = s->start[j]; k < s->start[j + 1]; k++) {
      left[s->row[k]] += s->g * s->J[k] * x[j];
      terms[s->row[k]] += fabs(s->g * s->J[k] * x[j]);
    }
  bool well = true;
  for (int i = 0; i < s->n; i++) well = well && fabs(left[i]) <= well_solved * terms[i];
  return well;
}

static bool factor_fronts(num_shifted* s)
{
  num_fronts_clear(s->fronts);
  for (int i = 0; i < s->n; i++) *num_fronts_block(s->fronts, i, i) = 1;
  for (int j = 0; j < s->n; j++)
    for (int k = s->start[j]; k < s->start[j + 1]; k++)
      *num_fronts_block(s->fronts, s->row[k], j) -= s->g * s->J[k];
  return num_fronts_factor(s->fronts) && holds(s);
}

// ---- both ---------------------------------------------------------------------------------------

num_shifted* num_shifted_new(int n, const num_rows* columns)
{
  num_shifted* s = base_alloc(sizeof *s);
  s->n = n;
  s->start = columns->start;
  s->row = columns->column;
  s->trial = base_alloc(sizeof(double) * (3 * (size_t)n + 1));
  const bool full = columns->start[n] > full_share * n * n;
  if (full || !make_fronts(s)) make_dense(s);
  return s;
}

void num_shifted_free(num_shifted* s)
{
  if (!s) return;
  num_fronts_free(s->fronts);
  void* const all[] = {s->trial,     s->number, s->is_light, s->near_start, s->near,
                       s->column_of, s->S,      s->swap,     s->put};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  free(s);
}

bool num_shifted_is_dense(const num_shifted* s)
{
  return !s->fronts;
}

bool num_shifted_factor(num_shifted* s, double g, const double* J)
{
  s->g = g;
  s->J = J;
  if (s->fronts && factor_fronts(s)) return true;
  if (s->fronts) make_dense(s);
  return factor_dense(s);
}

void num_shifted_solve(const num_shifted* s, double* x)
{
  if (s->fronts)
    num_fronts_solve(s->fronts, x);
  else
    solve_dense(s, x);
}
