// Of what kind a space is: of constant curvature, conformally flat, a product.
#include "geom/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 5, MOST = 8 };
static const double small = 1e-8; // against the terms it is made of: nothing

// Schouten's tensor P = (Ric - R g/(2 (n - 1)))/(n - 2). A metric is conformally flat, for n = 3
// where Cotton's tensor  C_ijk = D_i P_jk - D_j P_ik  vanishes, for n >= 4 where Weyl's
//   W_abcd = R_abcd - (g_ac P_bd - g_ad P_bc + g_bd P_ac - g_bc P_ad)  does; for n = 2 always.

static double entry(int n, const double* R, int a, int b, int c, int d)
{
  return R[((a * n + b) * n + c) * n + d];
}

static void ricci_at(int n, const double* R, double* P)
{
  for (int b = 0; b < n; b++)
    for (int d = 0; d < n; d++) {
      P[b * n + d] = 0;
      for (int a = 0; a < n; a++) P[b * n + d] += entry(n, R, a, b, a, d);
    }
}

static void schouten(int n, double* P)
{
  double scalar = 0;
  for (int a = 0; a < n; a++) scalar += P[a * n + a];
  for (int i = 0; i < n * n; i++)
    P[i] = (P[i] - (i % (n + 1) ? 0 : scalar / (2 * (n - 1)))) / (n - 2);
}

static double weyl(int n, const double* R)
{
  double most = 0, *P = base_alloc(sizeof(double) * (size_t)(n * n));
  ricci_at(n, R, P);
  schouten(n, P);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c < n; c++)
        for (int d = 0; d < n; d++) {
          double W = entry(n, R, a, b, c, d);
          if (a == c) W -= P[b * n + d];
          if (a == d) W += P[b * n + c];
          if (b == d) W -= P[a * n + c];
          if (b == c) W += P[a * n + d];
          most = fmax(most, fabs(W));
        }
  free(P);
  return most;
}

// Ric_jk = d_m Gamma^m_jk - d_j Gamma^m_mk + Gamma^m_mp Gamma^p_jk - Gamma^m_jp Gamma^p_mk, with
// its first derivatives: (1 + n) numbers each
static void ricci_series(const geom_metric_series* x, double* out)
{
  const geom_taylor* t = &x->t;
  const int n = x->n, N = t->count;
  double *sum = base_alloc(sizeof(double) * (size_t)(2 * N)), *d = sum + N;
#define GAMMA(K, I, J) (x->Gamma + (((K)*n + (I)) * n + (J)) * N)
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      memset(sum, 0, sizeof(double) * (size_t)N);
      for (int m = 0; m < n; m++)
        for (int p = 0; p < n; p++) {
          geom_taylor_multiply(t, 1, GAMMA(m, m, p), GAMMA(p, j, k), sum);
          for (int i = 0; i < N; i++) d[i] = -GAMMA(m, j, p)[i];
          geom_taylor_multiply(t, 1, d, GAMMA(p, m, k), sum);
        }
      for (int m = 0; m < n; m++) {
        geom_taylor_diff(t, 1, GAMMA(m, j, k), m, d);
        for (int i = 0; i <= n; i++) sum[i] += d[i];
        geom_taylor_diff(t, 1, GAMMA(m, m, k), j, d);
        for (int i = 0; i <= n; i++) sum[i] -= d[i];
      }
      for (int i = 0; i <= n; i++) out[(j * n + k) * (n + 1) + i] = sum[i ? t->up[i - 1] : 0];
    }
#undef GAMMA
  free(sum);
}

// Cotton's tensor; *size: of the terms it is made of. The metric is the unit matrix at the point.
static double cotton(const geom_metric_series* x, double* size)
{
  const int n = x->n, N = x->t.count, e = n + 1;
  double *Ric = base_alloc(sizeof(double) * (size_t)(n * n * e + n * n + e)), *P = Ric + n * n * e,
         *scalar = P + n * n, most = 0;
  ricci_series(x, Ric);
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i <= n; i++) {
        if (j == k) scalar[i] += Ric[(j * n + k) * e + i];
        if (i) scalar[i] -= x->g[(j * n + k) * N + x->t.up[i - 1]] * Ric[(j * n + k) * e];
      }
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++)
      for (int i = 0; i <= n; i++) {
        double g = (j == k) * scalar[i];
        if (i) g += x->g[(j * n + k) * N + x->t.up[i - 1]] * scalar[0];
        Ric[(j * n + k) * e + i] = (Ric[(j * n + k) * e + i] - g / (2 * (n - 1))) / (n - 2);
      }
  for (int i = 0; i < n * n; i++) P[i] = Ric[i * e];
#define GAMMA(K, I, J) x->Gamma[(((K)*n + (I)) * n + (J)) * N]
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) {
        double C = Ric[(j * n + k) * e + 1 + i] - Ric[(i * n + k) * e + 1 + j];
        *size = fmax(*size, fabs(Ric[(j * n + k) * e + 1 + i]));
        for (int m = 0; m < n; m++) {
          const double a = GAMMA(m, i, k) * P[j * n + m], b = GAMMA(m, j, k) * P[i * n + m];
          C += b - a;
          *size = fmax(*size, fabs(a));
        }
        most = fmax(most, fabs(C));
      }
#undef GAMMA
  free(Ric);
  return most;
}

// ---- verdicts -----------------------------------------------------------------------------------

typedef struct seen
{
  int points;
  double K[POINTS], uneven, bent; // sectional curvature; how far from the same in all planes
  double conformal;               // largest, relative
} seen;

static void look(seen* w, const geom_metric_series* x)
{
  const int n = x->n;
  double* R = base_alloc(sizeof(double) * (size_t)(n * n * n * n));
  double size = geom_metric_series_riemann(x, R), K = 0, uneven = 0;
  for (int a = 0; a < n; a++)
    for (int b = a + 1; b < n; b++) K += 2 * entry(n, R, a, b, a, b) / (n * (n - 1));
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      for (int c = 0; c < n; c++)
        for (int d = 0; d < n; d++)
          uneven = fmax(uneven, fabs(entry(n, R, a, b, c, d) -
                                     K * ((a == c && b == d) - (a == d && b == c))));
  size = fmax(size, 1e-300);
  w->K[w->points++] = fabs(K) > small * size ? K : 0;
  w->uneven = fmax(w->uneven, uneven / size);
  if (n >= 4) w->conformal = fmax(w->conformal, weyl(n, R) / size);
  if (n == 3) {
    double terms = 0;
    const double C = cotton(x, &terms);
    // in units of xi; beside a curvature of that size
    w->conformal = fmax(w->conformal, C / fmax(terms, size * x->unit * x->unit));
  }
  free(R);
}

static void judge(geom_shape* r, const seen* w)
{
  double least = INFINITY, most = -INFINITY, size = 0;
  for (int i = 0; i < w->points; i++) {
    least = fmin(least, w->K[i]);
    most = fmax(most, w->K[i]);
    size = fmax(size, fabs(w->K[i]));
  }
  r->constant = w->uneven <= small && most - least <= small * size ? EXPR_YES : EXPR_NO;
  r->curvature = w->K[0];
  r->conformal_size = w->conformal;
  r->conformal = w->conformal <= small ? EXPR_YES : EXPR_NO;
  if (r->n == 2)
    r->conformal_why = "two dimensions: isothermal coordinates exist";
  else if (r->n == 3)
    r->conformal_why = r->conformal == EXPR_YES ? "Cotton's tensor vanishes at random points"
                                                : "Cotton's tensor does not vanish";
  else
    r->conformal_why = r->conformal == EXPR_YES ? "Weyl's tensor vanishes at random points"
                                                : "Weyl's tensor does not vanish";
}

geom_shape* geom_shape_find(const geom_space* s)
{
  geom_shape* r = base_alloc(sizeof *r);
  *r = (geom_shape){.arena = base_arena_new()};
  geom_place* p = geom_place_make(s, NULL);
  r->n = p && p->at->regular ? p->n : 0;
  geom_place_free(p);
  if (r->n == 0) r->unsuited = "the metric has no value at the point, or is degenerate there";
  if (r->n == 1) r->unsuited = "one dimension";
  if (r->n > MOST || s->n > 2 * MOST) r->unsuited = "more than 8 dimensions";
  if (r->unsuited) return r;
  seen w = {0};
  for (int i = 0; i < POINTS; i++) {
    base_arena* arena = base_arena_new();
    geom_metric_series x;
    if (geom_metric_series_make(s, r->n == 3 ? 3 : 2, i, arena, &x)) look(&w, &x);
    base_arena_free(arena);
  }
  if (w.points < 2) {
    r->unsuited = "the metric cannot be developed into series near the point";
    return r;
  }
  judge(r, &w);
  geom_factors_find(r, s);
  return r;
}

void geom_shape_free(geom_shape* r)
{
  if (!r) return;
  base_arena_free(r->arena);
  free(r);
}
