// The metric and its curvature in numbers at one point, on the surface of unsolved constraints too.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/chart.h"
#include "num/num.h"

// On a surface f(q) = 0 with independent coordinates u among the q:
//   q_a = dq/du_a from f_i q_i,a = 0, q_ab from f_i q_i,ab + f_ij q_i,a q_j,b = 0,
//   g_ab = M_ij q_i,a q_j,b, and its derivatives by the product rule. Third derivatives of q(u)
//   drop out of the Riemann tensor (they enter symmetric where it is antisymmetric) and are left at
//   zero.

typedef struct jets
{
  const geom_space* s;
  int n, T, count;
  double* at; // the packed numbers
} jets;

static int packed(int n, int i, int j)
{
  return i <= j ? i * n - i * (i - 1) / 2 + j - i : packed(n, j, i);
}

static double value(const jets* z, int entry)
{
  return z->at[entry];
}

static double slope(const jets* z, int entry, int k)
{
  return z->at[z->count + entry * z->n + k];
}

static double bend(const jets* z, int entry, int k, int l)
{
  return z->at[z->count * (1 + z->n) + entry * z->T + packed(z->n, k, l)];
}

double* geom_space_values(const geom_space* s, const double* q, base_arena* arena)
{
  double* v = geom_take(arena, s->symbols, sizeof(double));
  memcpy(v, s->value, sizeof(double) * (size_t)s->symbols);
  for (int i = 0; q && i < s->symbols; i++)
    for (int k = 0; k < s->n; k++)
      if (s->symbol[i] == s->q[k]) v[i] = q[k];
  return v;
}

// ---- without further constraints ----------------------------------------------------------------

static void plain(const jets* z, geom_jet* j)
{
  const int n = z->n;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      const int entry = packed(n, a, b);
      j->g[a * n + b] = value(z, entry);
      for (int k = 0; k < n; k++) {
        j->dg[(k * n + a) * n + b] = slope(z, entry, k);
        for (int l = 0; l < n; l++) j->ddg[((k * n + l) * n + a) * n + b] = bend(z, entry, k, l);
      }
    }
}

// ---- on the surface -----------------------------------------------------------------------------

typedef struct surface
{
  int n, d, rank;
  int *row, *column; // pivots: constraint and dependent coordinate
  int* chosen;       // independent coordinates
  double* Q;         // n by d
  double* QQ;        // n by d by d
} surface;

// pivots of the gradients by elimination with the largest entry, rows scaled to their own size
static void choose(const jets* z, surface* f)
{
  const int n = z->n, m = z->s->rest;
  double* A = base_alloc(sizeof(double) * (size_t)(m * n + 1));
  bool* used = base_alloc(sizeof(bool) * (size_t)(n + 1));
  bool* done = base_alloc(sizeof(bool) * (size_t)(m + 1));
  for (int k = 0; k < m; k++) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(slope(z, z->T + k, i)));
    for (int i = 0; i < n && most > 0; i++) A[k * n + i] = slope(z, z->T + k, i) / most;
  }
  for (;;) {
    int r = -1, c = -1;
    double most = 1e-9;
    for (int k = 0; k < m; k++)
      for (int i = 0; i < n; i++)
        if (!done[k] && !used[i] && fabs(A[k * n + i]) > most)
          most = fabs(A[k * n + i]), r = k, c = i;
    if (r < 0) break;
    done[r] = used[c] = true;
    f->row[f->rank] = r;
    f->column[f->rank++] = c;
    for (int k = 0; k < m; k++) {
      if (done[k]) continue;
      const double factor = A[k * n + c] / A[r * n + c];
      for (int i = 0; i < n; i++) A[k * n + i] -= factor * A[r * n + i];
    }
  }
  for (int i = 0; i < n; i++)
    if (!used[i]) f->chosen[f->d++] = i;
  free(A);
  free(used);
  free(done);
}

// q_a and q_ab by solving with the pivot block
static bool parametrise(const jets* z, surface* f, base_arena* arena)
{
  const int n = z->n, d = f->d, r = f->rank;
  double* B = geom_take(arena, r * r + r, sizeof(double));
  double* x = B + r * r;
  int* pivot = geom_take(arena, r, sizeof(int));
  f->Q = geom_take(arena, n * d, sizeof(double));
  f->QQ = geom_take(arena, n * d * d, sizeof(double));
  for (int i = 0; i < r; i++)
    for (int j = 0; j < r; j++) B[i * r + j] = slope(z, z->T + f->row[i], f->column[j]);
  if (r > 0 && !num_lu(r, B, pivot)) return false;
  for (int a = 0; a < d; a++) {
    f->Q[f->chosen[a] * d + a] = 1;
    for (int i = 0; i < r; i++) x[i] = -slope(z, z->T + f->row[i], f->chosen[a]);
    if (r > 0) num_lu_solve(r, B, pivot, x);
    for (int i = 0; i < r; i++) f->Q[f->column[i] * d + a] = x[i];
  }
  for (int a = 0; a < d; a++)
    for (int b = a; b < d; b++) {
      for (int i = 0; i < r; i++) {
        x[i] = 0;
        for (int k = 0; k < n; k++)
          for (int l = 0; l < n; l++)
            x[i] -= bend(z, z->T + f->row[i], k, l) * f->Q[k * d + a] * f->Q[l * d + b];
      }
      if (r > 0) num_lu_solve(r, B, pivot, x);
      for (int i = 0; i < r; i++)
        f->QQ[(f->column[i] * d + a) * d + b] = f->QQ[(f->column[i] * d + b) * d + a] = x[i];
    }
  return true;
}

// adds one entry M_ij q_i,a q_j,b with its derivatives along u
static void add_entry(const jets* z, const surface* f, int i, int j, geom_jet* out, double* dM,
                      double* ddM)
{
  const int n = z->n, d = f->d, entry = packed(n, i, j);
  const double M = value(z, entry);
  for (int c = 0; c < d; c++) {
    dM[c] = 0;
    for (int k = 0; k < n; k++) dM[c] += slope(z, entry, k) * f->Q[k * d + c];
    for (int e = 0; e < d; e++) {
      double sum = 0;
      for (int k = 0; k < n; k++) {
        sum += slope(z, entry, k) * f->QQ[(k * d + c) * d + e];
        for (int l = 0; l < n; l++) sum += bend(z, entry, k, l) * f->Q[k * d + c] * f->Q[l * d + e];
      }
      ddM[c * d + e] = sum;
    }
  }
  for (int a = 0; a < d; a++)
    for (int b = 0; b < d; b++) {
      const double A = f->Q[i * d + a], B = f->Q[j * d + b];
      const double *Ad = f->QQ + (i * d + a) * d, *Bd = f->QQ + (j * d + b) * d;
      out->g[a * d + b] += M * A * B;
      for (int c = 0; c < d; c++) {
        out->dg[(c * d + a) * d + b] += dM[c] * A * B + M * (Ad[c] * B + A * Bd[c]);
        for (int e = 0; e < d; e++)
          out->ddg[((c * d + e) * d + a) * d + b] +=
              ddM[c * d + e] * A * B + dM[c] * (Ad[e] * B + A * Bd[e]) +
              dM[e] * (Ad[c] * B + A * Bd[c]) + M * (Ad[c] * Bd[e] + Ad[e] * Bd[c]);
      }
    }
}

static void induced(const jets* z, const surface* f, geom_jet* out, base_arena* arena)
{
  double* dM = geom_take(arena, f->d * (1 + f->d), sizeof(double));
  for (int i = 0; i < z->n; i++)
    for (int j = 0; j < z->n; j++) add_entry(z, f, i, j, out, dM, dM + f->d);
}

// ---- bringing a point onto the surface ----------------------------------------------------------

typedef struct level
{
  const geom_space* s;
  base_arena* arena;
  double* out;
} level;

static int equations(void* context, const double* x, double* F, double* J)
{
  level* l = context;
  const geom_space* s = l->s;
  const int n = s->n, T = n * (n + 1) / 2, count = T + s->rest;
  const size_t mark = base_arena_mark(l->arena);
  double* v = geom_space_values(s, x, l->arena);
  expr_values(s->pool, s->rest, s->jet + T, s->symbols, s->symbol, v, F);
  if (J) expr_values(s->pool, s->rest * n, s->jet + count + T * n, s->symbols, s->symbol, v, J);
  base_arena_cut(l->arena, mark);
  for (int i = 0; i < s->rest; i++)
    if (!isfinite(F[i])) return 1;
  for (int i = 0; J && i < s->rest * n; i++)
    if (!isfinite(J[i])) return 1;
  return 0;
}

static bool bring(const geom_space* s, base_arena* arena, double* q)
{
  level l = {.s = s, .arena = arena};
  return s->rest == 0 || num_newton(s->rest, s->n, equations, &l, NULL, NULL, 1e-12, 50, q).solved;
}

static bool evaluate(jets* z, const geom_space* s, const double* q, base_arena* arena)
{
  *z = (jets){.s = s, .n = s->n, .T = s->n * (s->n + 1) / 2};
  z->count = z->T + s->rest;
  z->at = geom_take(arena, s->jet_count, sizeof(double));
  double* v = geom_space_values(s, q, arena);
  expr_values(s->pool, s->jet_count, s->jet, s->symbols, s->symbol, v, z->at);
  for (int i = 0; i < s->jet_count; i++)
    if (!isfinite(z->at[i])) return false;
  return true;
}

bool geom_space_jets(const geom_space* s, const double* q, base_arena* arena, geom_jet* j,
                     double* f, double* df, double* ddf)
{
  jets z;
  if (!evaluate(&z, s, q, arena)) return false;
  const int n = s->n;
  plain(&z, j);
  for (int k = 0; k < s->rest; k++) {
    f[k] = value(&z, z.T + k);
    for (int i = 0; i < n; i++) {
      df[k * n + i] = slope(&z, z.T + k, i);
      for (int l = 0; l < n; l++) ddf[(k * n + i) * n + l] = bend(&z, z.T + k, i, l);
    }
  }
  return true;
}

// jets at all coordinates q, and the numbers; chart: the coordinates that parametrise, or null
static bool measure(geom_place* p, const geom_space* s, const double* q, const geom_chart* chart)
{
  jets z;
  if (!evaluate(&z, s, q, p->arena)) return false;
  surface f = {.n = s->n};
  if (chart) {
    f.row = chart->row;
    f.column = chart->column;
    f.chosen = chart->chosen;
    f.rank = chart->rank;
    f.d = chart->d;
  } else {
    f.row = geom_take(p->arena, s->rest, sizeof(int));
    f.column = geom_take(p->arena, s->n, sizeof(int));
    f.chosen = geom_take(p->arena, s->n, sizeof(int));
    choose(&z, &f);
  }
  p->chosen = f.chosen;
  p->n = f.d;
  p->rank = f.rank;
  p->column = f.column;
  p->row = f.row;
  if (f.d == 0) return false;
  geom_jet j = geom_jet_take(p->arena, f.d);
  if (s->rest == 0)
    plain(&z, &j);
  else if (parametrise(&z, &f, p->arena))
    induced(&z, &f, &j, p->arena);
  else
    return false;
  p->at = geom_numbers_make(p->arena, &j);
  return true;
}

static bool fill(geom_place* p, const geom_space* s)
{
  if (!s->chart) return bring(s, p->arena, p->q) && measure(p, s, p->q, NULL);
  double* q = geom_take(p->arena, s->chart->around->n, sizeof(double));
  return geom_chart_solve(s->chart, p->q, q, NULL) && measure(p, s->chart->around, q, s->chart);
}

geom_place* geom_place_make(const geom_space* s, const double* q)
{
  base_arena* arena = base_arena_new();
  geom_place* p = base_arena_take(arena, sizeof *p);
  p->arena = arena;
  p->q = geom_take(arena, s->n, sizeof(double));
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->symbols; k++)
      if (s->symbol[k] == s->q[i]) p->q[i] = q ? q[i] : s->value[k];
  if (fill(p, s)) return p;
  geom_place_free(p);
  return NULL;
}

void geom_place_free(geom_place* p)
{
  if (p) base_arena_free(p->arena);
}
