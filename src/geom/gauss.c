// Is the space a hypersurface? Gauss's equations solved for the second tensor at points, then
// Codazzi's tried.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geom/embedding.h"
#include "num/num.h"

// R_lxba = b_lb b_xa - b_xb b_la                                           Briskin (2000), (1.16)
// nabla_l b_xb = nabla_x b_lb                                                             (1.17)
// in an orthonormal frame. Three coordinates: with R^pq = 1/4 eps^pij eps^qkl R_ijkl the equations
// say R^ = cof(b), so b = +- cof(R^)/sqrt(det R^) where det R^ > 0; det R^ < 0 allows only a normal
// of norm -1, rank 2 nothing, rank 1 leaves b open. More coordinates: least squares; rank b >= 3
// makes b unique.

enum { MOST_N = 8, MOST_B = MOST_N * (MOST_N + 1) / 2 };

typedef struct tensor
{
  int n;
  geom_place* at;
  double L[MOST_N * MOST_N]; // g = L L^T
  double E[MOST_N * MOST_N]; // columns: orthonormal frame, E^T g E = 1
  double* R;                 // n^4 in the frame
  double size;
} tensor;

static double* entry(tensor* t, int l, int x, int b, int a)
{
  const int n = t->n;
  return &t->R[((l * n + x) * n + b) * n + a];
}

static bool frame(tensor* t)
{
  const int n = t->n;
  memcpy(t->L, t->at->at->g, sizeof(double) * (size_t)(n * n));
  if (!num_cholesky(n, t->L, 0)) return false;
  // E = L^-T: column k solves L^T E = e_k
  for (int k = 0; k < n; k++)
    for (int i = n - 1; i >= 0; i--) {
      double sum = i == k;
      for (int j = i + 1; j < n; j++) sum -= t->L[j * n + i] * t->E[j * n + k];
      t->E[i * n + k] = sum / t->L[i * n + i];
    }
  return true;
}

// one index after the other into the frame
static void turn(tensor* t)
{
  const int n = t->n, all = n * n * n * n;
  double* old = base_alloc(sizeof(double) * (size_t)all);
  for (int l = 0; l < n; l++)
    for (int x = 0; x < n; x++)
      for (int b = 0; b < n; b++)
        for (int a = 0; a < n; a++) *entry(t, l, x, b, a) = geom_riemann(t->at->at, l, x, b, a);
  for (int slot = 0, step = 1; slot < 4; slot++, step *= n) {
    memcpy(old, t->R, sizeof(double) * (size_t)all);
    for (int k = 0; k < all; k++) {
      const int index = k / step % n;
      t->R[k] = 0;
      for (int i = 0; i < n; i++) t->R[k] += old[k + (i - index) * step] * t->E[i * n + index];
    }
  }
  free(old);
  t->size = 0;
  for (int k = 0; k < all; k++) t->size = fmax(t->size, fabs(t->R[k]));
}

static bool tensor_at(const geom_space* s, const double* q, tensor* t)
{
  *t = (tensor){.n = s->n, .at = geom_place_make(s, q)};
  if (!t->at || !t->at->at->regular || !frame(t)) return false;
  t->R = base_alloc(sizeof(double) * (size_t)(s->n * s->n * s->n * s->n));
  turn(t);
  return true;
}

static void tensor_free(tensor* t)
{
  geom_place_free(t->at);
  free(t->R);
}

// ---- three coordinates --------------------------------------------------------------------------

typedef enum answer { NO_B, NEGATIVE, RANK_TWO, OPEN, FOUND } answer;

static double cofactor(const double* A, int i, int j)
{
  const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
  return A[a * 3 + c] * A[b * 3 + d] - A[a * 3 + d] * A[b * 3 + c];
}

static answer solve_three(tensor* t, double* b)
{
  double H[9], C[9], det = 0, minors = 0;
  for (int p = 0; p < 3; p++)
    for (int q = 0; q < 3; q++)
      H[p * 3 + q] = *entry(t, (p + 1) % 3, (p + 2) % 3, (q + 1) % 3, (q + 2) % 3);
  for (int i = 0; i < 9; i++) {
    C[i] = cofactor(H, i / 3, i % 3);
    minors = fmax(minors, fabs(C[i]));
  }
  for (int j = 0; j < 3; j++) det += H[j] * C[j];
  const double size = t->size;
  if (fabs(det) > 1e-9 * size * size * size) {
    if (det < 0) return NEGATIVE;
    for (int i = 0; i < 9; i++) b[i] = C[i] / sqrt(det);
    return FOUND;
  }
  return minors > 1e-9 * size * size ? RANK_TWO : OPEN;
}

// ---- more coordinates ---------------------------------------------------------------------------

static int packed(int n, int i, int j)
{
  return i <= j ? i * n - i * (i - 1) / 2 + j - i : packed(n, j, i);
}

// residuals of all independent components, and their Jacobian by the packed b
static double equations(tensor* t, const double* b, double* r, double* J)
{
  const int n = t->n, B = n * (n + 1) / 2;
  int row = 0;
  double sum = 0;
#define AT(I, J_) b[packed(n, I, J_)]
  for (int l = 0; l < n; l++)
    for (int x = l + 1; x < n; x++)
      for (int c = l; c < n; c++)
        for (int a = c + 1; a < n; a++) {
          if (geom_pair(n, c, a) < geom_pair(n, l, x)) continue;
          r[row] = AT(l, c) * AT(x, a) - AT(x, c) * AT(l, a) - *entry(t, l, x, c, a);
          sum += r[row] * r[row];
          if (J) {
            double* d = J + row * B;
            memset(d, 0, sizeof(double) * (size_t)B);
            d[packed(n, l, c)] += AT(x, a);
            d[packed(n, x, a)] += AT(l, c);
            d[packed(n, x, c)] -= AT(l, a);
            d[packed(n, l, a)] -= AT(x, c);
          }
          row++;
        }
#undef AT
  return sum;
}

static int count_equations(int n)
{
  const int P = geom_pairs(n);
  return P * (P + 1) / 2;
}

// damped least squares from a start; the square sum left
static double descend(tensor* t, double* b)
{
  const int n = t->n, B = n * (n + 1) / 2, m = count_equations(n);
  double* J = base_alloc(sizeof(double) * (size_t)((m + B) * B + 2 * (m + B)));
  double *r = J + (m + B) * B, *keep = r + m + B;
  double step[MOST_B], next[MOST_B], mu = 1e-2 * t->size, now = equations(t, b, keep, NULL);
  for (int k = 0; k < 200 && now > 1e-28 * t->size * t->size; k++) {
    equations(t, b, r, J);
    for (int i = 0; i < m; i++) r[i] = -r[i];
    memset(J + m * B, 0, sizeof(double) * (size_t)(B * B));
    for (int i = 0; i < B; i++) J[(m + i) * B + i] = sqrt(mu), r[m + i] = 0;
    num_least_squares(m + B, B, J, r, step);
    for (int i = 0; i < B; i++) next[i] = b[i] + step[i];
    const double then = equations(t, next, keep, NULL);
    if (then < now) {
      if (then > now * (1 - 1e-9)) k = 200;
      now = then;
      memcpy(b, next, sizeof(double) * (size_t)B);
      mu = fmax(mu / 10, 1e-16 * t->size);
    } else if ((mu *= 10) > 1e6 * t->size) {
      break;
    }
  }
  free(J);
  return now;
}

static double uniform(uint64_t* seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) / 4503599627370496.0 - 1.0;
}

// Does the curvature leave b open? Where rank b is two or less. By elimination with the largest
// entry of all, each row to its own size as it is: rows of nothing but rounding must not count.
static bool is_low(int n, const double* b)
{
  double A[MOST_N * MOST_N], first = 0;
  memcpy(A, b, sizeof(double) * (size_t)(n * n));
  for (int rank = 0; rank < n; rank++) {
    int r = 0, c = 0;
    for (int i = 0; i < n * n; i++)
      if (fabs(A[i]) > fabs(A[r * n + c])) r = i / n, c = i % n;
    const double pivot = A[r * n + c];
    if (rank == 0) first = fabs(pivot);
    if (!(fabs(pivot) > 1e-5 * first)) return true;
    if (rank == 2) return false;
    for (int i = 0; i < n; i++) {
      const double factor = A[i * n + c] / pivot;
      for (int j = 0; j < n && i != r; j++) A[i * n + j] -= factor * A[r * n + j];
      A[i * n + c] = 0;
    }
    for (int j = 0; j < n; j++) A[r * n + j] = 0;
  }
  return true;
}

static answer solve_more(tensor* t, double* b, double* left)
{
  const int n = t->n, B = n * (n + 1) / 2;
  double best = INFINITY, start[MOST_B];
  uint64_t seed = 7;
  for (int try = 0; try < 24 && !(best < 1e-16 * t->size * t->size); try++) {
    for (int i = 0; i < B; i++) start[i] = sqrt(t->size) * uniform(&seed);
    for (int i = 0; i < n; i++) start[packed(n, i, i)] += try % 2 ? 0 : sqrt(t->size);
    const double now = descend(t, start);
    if (now >= best) continue;
    best = now;
    for (int i = 0; i < n * n; i++) b[i] = start[packed(n, i / n, i % n)];
  }
  *left = sqrt(best) / t->size;
  if (*left > 1e-6) return NO_B;
  return is_low(n, b) ? OPEN : FOUND;
}

// b at q in the coordinates (b_ab), or why there is none
static answer second_tensor(const geom_space* s, const double* q, double* b, double* left)
{
  tensor t;
  answer a = OPEN;
  const int n = s->n;
  double hat[MOST_N * MOST_N], half[MOST_N * MOST_N];
  if (tensor_at(s, q, &t) && t.size > 1e-10)
    a = n == 3 ? solve_three(&t, hat) : solve_more(&t, hat, left);
  // b = L hat L^T
  for (int i = 0; i < n && a == FOUND; i++)
    for (int j = 0; j < n; j++) {
      half[i * n + j] = 0;
      for (int k = 0; k < n; k++) half[i * n + j] += t.L[i * n + k] * (k <= i) * hat[k * n + j];
    }
  for (int i = 0; i < n && a == FOUND; i++)
    for (int j = 0; j < n; j++) {
      b[i * n + j] = 0;
      for (int k = 0; k <= j; k++) b[i * n + j] += half[i * n + k] * t.L[j * n + k];
    }
  tensor_free(&t);
  return a;
}

bool geom_gauss_tensor(const geom_space* s, const double* q, double* b)
{
  double left;
  return s->n >= 3 && s->n <= MOST_N && second_tensor(s, q, b, &left) == FOUND;
}

// ---- Codazzi ------------------------------------------------------------------------------------

// d b / d q_k by differences of fourth order, the sign of b carried along
static bool slope(const geom_space* s, const double* q, const double* b0, int k, double* db)
{
  static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  static const double offset[4] = {-2, -1, 1, 2};
  const int n = s->n;
  const double h = 2e-3 * (1 + fabs(q[k]));
  double at[MOST_N], b[MOST_N * MOST_N], left;
  memset(db, 0, sizeof(double) * (size_t)(n * n));
  for (int i = 0; i < 4; i++) {
    memcpy(at, q, sizeof(double) * (size_t)n);
    at[k] += offset[i] * h;
    if (second_tensor(s, at, b, &left) != FOUND) return false;
    double same = 0;
    for (int j = 0; j < n * n; j++) same += b[j] * b0[j];
    for (int j = 0; j < n * n; j++) db[j] += weight[i] * (same < 0 ? -b[j] : b[j]) / h;
  }
  return true;
}

// the largest of nabla_l b_xb - nabla_x b_lb against the terms it is made of; nan: not evaluable
static double codazzi(const geom_space* s, const double* q, const double* b)
{
  const int n = s->n;
  double* d = base_alloc(sizeof(double) * (size_t)(n * n * n));
  geom_place* p = geom_place_make(s, q);
  bool fine = p && p->at->regular;
  for (int k = 0; k < n && fine; k++) fine = slope(s, q, b, k, d + k * n * n);
  double most = 0, size = 0;
  for (int l = 0; l < n && fine; l++)
    for (int x = l + 1; x < n; x++)
      for (int c = 0; c < n; c++) {
        double sum = d[(l * n + x) * n + c] - d[(x * n + l) * n + c];
        size = fmax(size, fabs(d[(l * n + x) * n + c]) + fabs(d[(x * n + l) * n + c]));
        for (int e = 0; e < n; e++) {
          const double up = p->at->second[(e * n + l) * n + c] * b[x * n + e];
          const double down = p->at->second[(e * n + x) * n + c] * b[l * n + e];
          sum += down - up;
          size = fmax(size, fabs(up) + fabs(down));
        }
        most = fmax(most, fabs(sum));
      }
  for (int i = 0; i < n * n; i++) size = fmax(size, 1e-3 * fabs(b[i]));
  free(d);
  geom_place_free(p);
  return fine ? most / size : NAN;
}

// ---- the verdict --------------------------------------------------------------------------------

static geom_gauss judge(geom_embedding* e, const double* q, double* b)
{
  const geom_space* s = e->s;
  geom_gauss out = {.verdict = GEOM_GAUSS_NONE};
  double left = 0;
  char* point = geom_point_words(s, q, e->arena);
  switch (second_tensor(s, q, b, &left)) {
  case NO_B:
    geom_embedding_note(e,
                        "no hypersurface: Gauss's equations have no solution, least residual %.3g "
                        "of the curvature, at %s",
                        left, point);
    return out;
  case NEGATIVE:
    geom_embedding_note(e,
                        "no hypersurface of a Euclidean space: the determinant of the curvature is "
                        "negative (a normal of norm -1 would be needed) at %s",
                        point);
    return out;
  case RANK_TWO:
    geom_embedding_note(e, "no hypersurface: the curvature has rank 2 at %s", point);
    return out;
  case OPEN:
    out.verdict = GEOM_GAUSS_OPEN;
    return out;
  case FOUND:
    break;
  }
  const double off = codazzi(s, q, b);
  out.verdict = off < 1e-5 ? GEOM_GAUSS_UNIQUE : GEOM_GAUSS_NONE;
  out.b = b;
  if (isnan(off)) {
    out.verdict = GEOM_GAUSS_OPEN;
    out.b = NULL;
  } else if (off >= 1e-5) {
    geom_embedding_note(e,
                        "no hypersurface: Gauss's equations fix the second tensor, but Codazzi's "
                        "fail by %.3g at %s",
                        off, point);
  } else {
    geom_embedding_note(e, "Gauss's equations fix the second tensor, Codazzi's hold to %.1g at %s",
                        off, point);
  }
  return out;
}

geom_gauss geom_gauss_solve(geom_embedding* e)
{
  const int n = e->n;
  geom_gauss out = {.verdict = GEOM_GAUSS_OPEN};
  if (n < 3 || n > MOST_N) return out;
  // off the middle as well: one point may be special
  double q[MOST_N];
  static const double parts[2] = {0.5, 0.37};
  for (int try = 1; try >= 0; try--) {
    for (int i = 0; i < n; i++)
      q[i] = e->low[i] + (e->high[i] - e->low[i]) * (try ? parts[1] + 0.05 * i : parts[0]);
    out = judge(e, q, geom_take(e->arena, n * n, sizeof(double)));
    if (out.verdict == GEOM_GAUSS_NONE) break;
  }
  return out;
}
