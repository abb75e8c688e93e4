// Dense least squares of many unknowns: Householder reflections gathered in panels, so that the
// columns behind a panel are read twice for all its reflections and not twice for each.
#include "num/least_squares_blocked.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

// H_1 ... H_k = I - V T V^T with H_j = I - tau_j v_j v_j^T                  Schreiber, Van Loan
// (1989)
//   T_jj = tau_j,  T_ij = -tau_j sum_l T_il (v_l . v_j) for i < j,  Q^T A = A - V T^T V^T A
// The matrix is kept in strips of 8 columns, b as its last column. Rows that are zero in a panel's
// columns take no part in it: the rows of a damping term are idle until their column comes.

enum { STRIP = 8, PANEL = 32, STRIPS = PANEL / STRIP };

typedef double wide __attribute__((vector_size(64)));
#define INLINE static inline __attribute__((always_inline))
// vectors pass between inlined functions only: no binary interface is touched
#pragma GCC diagnostic ignored "-Wpsabi"

typedef struct panel
{
  int rows;
  int* row;  // of the matrix
  double* V; // rows by PANEL
  double T[PANEL * PANEL];
  double R[PANEL * PANEL];
} panel;

// X = V^T S, a strip S at the panel's rows: PANEL by STRIP
INLINE void gather(const panel* p, const double* S, wide* X)
{
  for (int k = 0; k < PANEL; k += STRIP) {
    wide sum[STRIP] = {0};
    for (int r = 0; r < p->rows; r++) {
      const wide s = *(const wide*)(S + (size_t)p->row[r] * STRIP);
      const double* v = p->V + (size_t)r * PANEL + k;
      for (int i = 0; i < STRIP; i++) sum[i] += v[i] * s;
    }
    for (int i = 0; i < STRIP; i++) X[k + i] = sum[i];
  }
}

// S -= V Y
INLINE void scatter(const panel* p, const wide* Y, double* S)
{
  for (int r = 0; r < p->rows; r++) {
    wide sum[4] = {0};
    const double* v = p->V + (size_t)r * PANEL;
    for (int k = 0; k < PANEL; k += 4)
      for (int i = 0; i < 4; i++) sum[i] += v[k + i] * Y[k + i];
    *(wide*)(S + (size_t)p->row[r] * STRIP) -= (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

INLINE void update(const panel* p, double* S)
{
  wide X[PANEL], Y[PANEL];
  gather(p, S, X);
  for (int j = 0; j < PANEL; j++) {
    Y[j] = p->T[j] * X[0];
    for (int i = 1; i <= j; i++) Y[j] += p->T[i * PANEL + j] * X[i];
  }
  scatter(p, Y, S);
}

// the panel's columns in place: reflections below the diagonal, R above it
INLINE void factor(panel* p, int columns, double* tau)
{
  const wide nothing = {0};
  for (int j = 0; j < columns; j++) {
    double norm = 0;
    for (int r = j; r < p->rows; r++) norm = fmax(norm, fabs(p->V[(size_t)r * PANEL + j]));
    double* first = p->V + (size_t)j * PANEL;
    tau[j] = 0;
    p->R[j * PANEL + j] = 0;
    if (norm == 0) continue;
    double sum = 0;
    for (int r = j; r < p->rows; r++) {
      const double part = p->V[(size_t)r * PANEL + j] / norm;
      sum += part * part;
    }
    norm *= sqrt(sum);
    first[j] += copysign(norm, first[j]);
    tau[j] = 1 / (norm * fabs(first[j]));
    p->R[j * PANEL + j] = -copysign(norm, first[j]);
    wide w[STRIPS] = {nothing};
    for (int r = j; r < p->rows; r++) {
      const wide* a = (const wide*)(p->V + (size_t)r * PANEL);
      const double v = p->V[(size_t)r * PANEL + j];
      for (int i = 0; i < STRIPS; i++) w[i] += v * a[i];
    }
    double* products = (double*)w;
    for (int i = 0; i < j; i++) {
      double entry = 0;
      for (int l = i; l < j; l++) entry += p->T[i * PANEL + l] * products[l];
      p->T[i * PANEL + j] = -tau[j] * entry;
    }
    p->T[j * PANEL + j] = tau[j];
    for (int k = 0; k < PANEL; k++) products[k] *= k > j && k < columns ? tau[j] : 0;
    for (int r = j; r < p->rows; r++) {
      wide* a = (wide*)(p->V + (size_t)r * PANEL);
      const double v = p->V[(size_t)r * PANEL + j];
      for (int i = 0; i < STRIPS; i++) a[i] -= v * w[i];
    }
  }
}

// ---- one kind of instructions each, the same bits -----------------------------------------------

typedef struct kernel
{
  void (*update)(const panel* p, double* S);
  void (*factor)(panel* p, int columns, double* tau);
} kernel;

#define KERNEL(NAME, TARGET)                                           \
  TARGET static void update_##NAME(const panel* p, double* S)          \
  {                                                                    \
    update(p, S);                                                      \
  }                                                                    \
  TARGET static void factor_##NAME(panel* p, int columns, double* tau) \
  {                                                                    \
    factor(p, columns, tau);                                           \
  }                                                                    \
  static const kernel NAME = {update_##NAME, factor_##NAME};

KERNEL(plain, )
#if defined __x86_64__
KERNEL(avx2, __attribute__((target("avx2"))))
KERNEL(avx512, __attribute__((target("avx512f"))))
#endif

static const kernel* choose(void)
{
#if defined __x86_64__
  if (BASE_HAS_AVX512) return &avx512;
  if (BASE_HAS_AVX2) return &avx2;
#endif
  return &plain;
}

// ---- the matrix ---------------------------------------------------------------------------------

typedef struct strips
{
  int m, n, count;
  double* at; // strip by row by STRIP
} strips;

static double* entry(const strips* s, int i, int j)
{
  return s->at + ((size_t)(j / STRIP) * (size_t)s->m + (size_t)i) * STRIP + j % STRIP;
}

// the rows that are not zero in these columns
static void collect(const strips* s, int from, int columns, panel* p)
{
  p->rows = 0;
  for (int i = from; i < s->m; i++) {
    bool used = i < from + columns;
    for (int k = 0; k < columns && !used; k++) used = *entry(s, i, from + k) != 0;
    if (!used) continue;
    double* v = p->V + (size_t)p->rows * PANEL;
    for (int k = 0; k < PANEL; k++) v[k] = k < columns ? *entry(s, i, from + k) : 0;
    p->row[p->rows++] = i;
  }
}

// R out of the panel, and only the reflections left in it
static void part(panel* p, int columns)
{
  for (int r = 0; r < columns; r++)
    for (int k = r + 1; k < columns; k++) {
      p->R[r * PANEL + k] = p->V[(size_t)r * PANEL + k];
      p->V[(size_t)r * PANEL + k] = 0;
    }
}

static void reduce(const strips* s, panel* p, const kernel* with)
{
  double tau[PANEL];
  for (int from = 0; from < s->n; from += PANEL) {
    const int columns = s->n - from < PANEL ? s->n - from : PANEL;
    memset(p->T, 0, sizeof p->T);
    collect(s, from, columns, p);
    with->factor(p, columns, tau);
    part(p, columns);
    // a strip that the panel shares with what is behind it changes as a whole
    for (int c = (from + columns) / STRIP; c < s->count; c++)
      with->update(p, s->at + (size_t)c * (size_t)s->m * STRIP);
    for (int r = 0; r < columns; r++)
      for (int k = r; k < columns; k++) *entry(s, from + r, from + k) = p->R[r * PANEL + k];
  }
}

void num_least_squares_blocked(int m, int n, double* A, double* b, double* x)
{
  strips s = {.m = m, .n = n, .count = (n + STRIP) / STRIP};
  const size_t matrix = (size_t)s.count * (size_t)m * STRIP, behind = (size_t)m * PANEL;
  void* room = base_alloc(sizeof(double) * (matrix + behind) + sizeof(wide));
  s.at = (double*)(((uintptr_t)room + sizeof(wide) - 1) / sizeof(wide) * sizeof(wide));
  panel p = {.V = s.at + matrix, .row = base_alloc(sizeof(int) * (size_t)m)};
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) *entry(&s, i, j) = A[(size_t)i * (size_t)n + (size_t)j];
    *entry(&s, i, n) = b[i];
  }
  reduce(&s, &p, choose());
  for (int i = n - 1; i >= 0; i--) {
    double sum = *entry(&s, i, n);
    for (int k = i + 1; k < n; k++) sum -= *entry(&s, i, k) * x[k];
    const double pivot = *entry(&s, i, i);
    x[i] = pivot != 0 ? sum / pivot : 0;
  }
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) A[(size_t)i * (size_t)n + (size_t)j] = *entry(&s, i, j);
    b[i] = *entry(&s, i, n);
  }
  free(p.row);
  free(room);
}
