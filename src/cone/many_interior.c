// Many contacts through the inside of their cones: an interior point method, which finds impulses
// where the states of Newton run in circles, however redundant the rows are.
//
// With s_n = mu |w_t| added to the normal velocities Coulomb's law reads, for y = (x_n, x_t/mu) and
// z = (w_n + s_n, mu w_t),  y in K, z in K, y.z = 0,  K the round cone y_0 >= |y_1| (De Saxce and
// Feng 1998; Acary, Cadoux, Lemarechal and Malick 2011). With s of the turn before that is a
// problem of least energy over cones. A turn is a step of Newton towards y o z = sigma m e (o the
// product of Jordan), looked at along y and z where they are the same: W^-1 y = W z = lambda
// (Nesterov and Todd 1997), first ahead with sigma = 0 and then with what that leaves (Mehrotra
// 1992):
//   (G + U W^-2 U) dx = U (W^-1 (lambda \ r) - rest),   dz = W^-1 (lambda \ r) - W^-2 U dx.
#include "cone/many.h"
#include "cone/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_turns = 70, most_size = 3 };
static const double back_off = 0.99; // of the way to the edge of the cones

// ---- the round cone, size 1 to 3 ----------------------------------------------------------------

static double length_of(int size, const double* y)
{
  return size == 1 ? 0 : size == 2 ? fabs(y[1]) : hypot(y[1], y[2]);
}

// y_0^2 - |y_1|^2, without cancellation
static double det(int size, const double* y)
{
  const double l = length_of(size, y);
  return (y[0] - l) * (y[0] + l);
}

static double dot(int size, const double* a, const double* b)
{
  double sum = 0;
  for (int k = 0; k < size; k++) sum += a[k] * b[k];
  return sum;
}

static void jordan(int size, const double* a, const double* b, double* out)
{
  const double first = dot(size, a, b);
  for (int k = 1; k < size; k++) out[k] = a[0] * b[k] + b[0] * a[k];
  out[0] = first;
}

// a o out = b
static void divide(int size, const double* a, const double* b, double* out)
{
  double first = a[0] * b[0];
  for (int k = 1; k < size; k++) first -= a[k] * b[k];
  first /= det(size, a);
  for (int k = 1; k < size; k++) out[k] = (b[k] - first * a[k]) / a[0];
  out[0] = first;
}

// the share of the way d that stays in the cone, at most 1
static double share_of(int size, const double* y, const double* d)
{
  // the first root of det(y + share d)
  double a = d[0] * d[0], b = y[0] * d[0];
  const double c = det(size, y);
  for (int k = 1; k < size; k++) {
    a -= d[k] * d[k];
    b -= y[k] * d[k];
  }
  if (size == 1) return d[0] < 0 ? fmin(1, -y[0] / d[0]) : 1;
  const double root = b * b - a * c;
  double share = 1;
  if (a < 0 || (b < 0 && root >= 0)) share = c / (sqrt(fmax(root, 0)) - b);
  if (d[0] < 0) share = fmin(share, -y[0] / d[0]);
  return share > 0 ? fmin(share, 1) : 0; // a nan stops
}

// W or W^-1 on u: beta^{+-1} (2 v v^T - J), v or J v, with v = (w + e)/sqrt(2 (w_0 + 1))
static void scaled(int size, const double* w, double beta, bool inverse, const double* u,
                   double* out)
{
  double v[most_size];
  const double norm = sqrt(2 * (w[0] + 1));
  for (int k = 0; k < size; k++) v[k] = (k ? (inverse ? -w[k] : w[k]) : w[0] + 1) / norm;
  const double twice = 2 * dot(size, v, u), factor = inverse ? 1 / beta : beta;
  for (int k = size - 1; k >= 0; k--) out[k] = factor * (twice * v[k] + (k ? u[k] : -u[k]));
}

// ---- rows of a contact --------------------------------------------------------------------------

static int rows_of(const cone_many* f, int n, int row[most_size])
{
  const int size = 1 + f->first[n + 1] - f->first[n];
  row[0] = n;
  for (int k = 1; k < size; k++) row[k] = f->tangent[f->first[n] + k - 1];
  return size;
}

static void get(int size, const int* row, const double* from, double* to)
{
  for (int k = 0; k < size; k++) to[k] = from[row[k]];
}

static void put(int size, const int* row, const double* from, double* to)
{
  for (int k = 0; k < size; k++) to[row[k]] = from[k];
}

// one group of tangents to a contact, with a bound
static bool takes(const cone_many* f)
{
  const cone_many_problem* p = f->p;
  for (int n = 0; n < p->r; n++) {
    const int tangents = f->first[n + 1] - f->first[n];
    if (tangents == 0) continue;
    const int i = f->tangent[f->first[n]];
    if (!(p->mu[i] > 0) || tangents > 2) return false;
    if (tangents == 2 && cone_many_pair(f, i) < 0) return false;
  }
  return true;
}

static void make_room(cone_many_inner* s, int r)
{
  double** all[] = {&s->y,  &s->z,  &s->unit, &s->p,    &s->dy,     &s->dz,
                    &s->ay, &s->az, &s->turn, &s->beta, &s->lambda, &s->rest};
  const int count = sizeof all / sizeof *all;
  if (r > s->room) {
    s->room = r + r / 2 + 16;
    s->memory = base_realloc(s->memory, sizeof(double) * (size_t)(s->room * count));
  }
  for (int k = 0; k < count; k++) *all[k] = s->memory + (size_t)k * (size_t)s->room;
}

// ---- a turn -------------------------------------------------------------------------------------

// inside, as large as the problem
static void begin(cone_many* f)
{
  const cone_many_problem* p = f->p;
  cone_many_inner* s = &f->inner;
  double fast = 0, soft = 0;
  for (int i = 0; i < p->r; i++) {
    s->unit[i] = p->kind[i] == CONE_MANY_TANGENT ? 1 / p->mu[i] : 1;
    fast = fmax(fast, fabs(p->q[i]));
    soft = fmax(soft, f->diagonal[i]);
  }
  for (int i = 0; i < p->r; i++) {
    const bool normal = p->kind[i] == CONE_MANY_NORMAL;
    s->y[i] = normal ? fast / soft : 0;
    s->z[i] = normal ? fast : 0;
    if (p->kind[i] == CONE_MANY_EQUAL) s->y[i] = f->x[i];
  }
}

// w of y; what z differs from it by; the mean of y.z
static double look(cone_many* f, int* contacts)
{
  const cone_many_problem* p = f->p;
  cone_many_inner* s = &f->inner;
  double sum = 0;
  *contacts = 0;
  for (int i = 0; i < p->r; i++) f->x[i] = s->y[i] / s->unit[i];
  cone_many_product(f);
  for (int n = 0; n < p->r; n++) {
    if (p->kind[n] == CONE_MANY_EQUAL) s->rest[n] = f->w[n];
    if (p->kind[n] != CONE_MANY_NORMAL) continue;
    int row[most_size];
    double y[most_size] = {0}, z[most_size] = {0}, slip[most_size] = {0};
    const int size = rows_of(f, n, row);
    get(size, row, s->y, y);
    get(size, row, s->z, z);
    get(size, row, f->w, slip);
    const double mu = size > 1 ? p->mu[row[1]] : 0;
    s->p[n] = size > 1 ? sqrt(dot(size - 1, slip + 1, slip + 1) + s->smooth * s->smooth) : 0;
    s->rest[n] = f->w[n] + mu * s->p[n] - z[0];
    for (int k = 1; k < size; k++) s->rest[row[k]] = f->w[row[k]] / s->unit[row[k]] - z[k];
    sum += dot(size, y, z);
    (*contacts)++;
  }
  return sum / *contacts;
}

static void scale_contact(cone_many_inner* s, int size, const int* row)
{
  double y[most_size] = {0}, z[most_size] = {0}, w[most_size], l[most_size];
  get(size, row, s->y, y);
  get(size, row, s->z, z);
  const double y_det = sqrt(det(size, y)), z_det = sqrt(det(size, z));
  const double gamma = sqrt((1 + dot(size, y, z) / (y_det * z_det)) / 2);
  for (int k = 0; k < size; k++) w[k] = (y[k] / y_det + (k ? -z[k] : z[k]) / z_det) / (2 * gamma);
  s->beta[row[0]] = sqrt(y_det / z_det);
  scaled(size, w, s->beta[row[0]], false, z, l);
  put(size, row, w, s->turn);
  put(size, row, l, s->lambda);
}

// U W^-2 U of a contact into the band, W^-2 = beta^-2 (2 J w w^T J - J)
static void add_scaling(cone_many* f, int size, const int* row)
{
  const cone_many_inner* s = &f->inner;
  const double square = s->beta[row[0]] * s->beta[row[0]];
  for (int a = 0; a < size; a++)
    for (int b = 0; b < size; b++) {
      const double sign = (a ? -1 : 1) * (b ? -1 : 1), J = a != b ? 0 : a ? -1 : 1;
      const double D = (2 * sign * s->turn[row[a]] * s->turn[row[b]] - J) / square;
      *cone_band_at(f->band, row[a], row[b]) += s->unit[row[a]] * D * s->unit[row[b]];
    }
}

static bool factor(cone_many* f)
{
  const cone_many_problem* p = f->p;
  int width = f->width;
  for (int i = 0; i < p->r; i++)
    if (p->kind[i] == CONE_MANY_TANGENT) {
      const int o = cone_many_pair(f, i), to_normal = abs(i - p->of[i]);
      const int to_pair = o < 0 ? 0 : abs(i - o);
      width = to_normal > width ? to_normal : width;
      for (int k = p->start[i]; k < p->start[i + 1]; k++)
        if (abs(p->column[k] - p->of[i]) > width) width = abs(p->column[k] - p->of[i]);
      width = to_pair > width ? to_pair : width;
    }
  cone_band_clear(f->band, p->r, width);
  for (int i = 0; i < p->r; i++) {
    for (int k = p->start[i]; k < p->start[i + 1]; k++)
      *cone_band_at(f->band, i, p->column[k]) += p->G[k];
    *cone_band_at(f->band, i, i) += cone_interior_prox * f->diagonal[i];
  }
  for (int n = 0; n < p->r; n++) {
    int row[most_size];
    if (p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    for (int a = 1; a < size; a++)
      for (int k = p->start[row[a]]; k < p->start[row[a] + 1]; k++)
        *cone_band_at(f->band, n, p->column[k]) +=
            p->mu[row[a]] * f->w[row[a]] / f->inner.p[n] * p->G[k];
    scale_contact(&f->inner, size, row);
    add_scaling(f, size, row);
  }
  return cone_band_factor(f->band);
}

// dy, dz for the right sides W^-1 (lambda \ r) in dz
static void solve(cone_many* f, double* dy, double* dz)
{
  const cone_many_problem* p = f->p;
  const cone_many_inner* s = &f->inner;
  for (int i = 0; i < p->r; i++)
    f->right[i] = p->kind[i] == CONE_MANY_EQUAL ? -s->rest[i] : s->unit[i] * (dz[i] - s->rest[i]);
  cone_band_solve(f->band, f->right);
  for (int i = 0; i < p->r; i++) dy[i] = s->unit[i] * f->right[i];
  for (int n = 0; n < p->r; n++) {
    int row[most_size];
    double w[most_size], d[most_size], once[most_size], twice[most_size];
    if (p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    get(size, row, s->turn, w);
    get(size, row, dy, d);
    scaled(size, w, s->beta[n], true, d, once);
    scaled(size, w, s->beta[n], true, once, twice);
    for (int k = 0; k < size; k++) dz[row[k]] -= twice[k];
  }
}

// how far both may go along a step
static double reach(const cone_many* f, const double* dy, const double* dz)
{
  const cone_many_inner* s = &f->inner;
  double share = 1;
  for (int n = 0; n < f->p->r; n++) {
    int row[most_size];
    double y[most_size] = {0}, d[most_size] = {0};
    if (f->p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    get(size, row, s->y, y);
    get(size, row, dy, d);
    share = fmin(share, share_of(size, y, d));
    get(size, row, s->z, y);
    get(size, row, dz, d);
    share = fmin(share, share_of(size, y, d));
  }
  return share;
}

// W^-1 (lambda \ (sigma m e - lambda o lambda - (W^-1 ay) o (W az))) into dz
static void correct(cone_many* f, double centre, double share)
{
  cone_many_inner* s = &f->inner;
  for (int n = 0; n < f->p->r; n++) {
    int row[most_size];
    double w[most_size], l[most_size] = {0}, a[most_size], b[most_size], r[most_size], t[most_size];
    if (f->p->kind[n] != CONE_MANY_NORMAL) continue;
    const int size = rows_of(f, n, row);
    get(size, row, s->turn, w);
    get(size, row, s->lambda, l);
    get(size, row, s->ay, a);
    get(size, row, s->az, b);
    scaled(size, w, s->beta[n], true, a, r);
    scaled(size, w, s->beta[n], false, b, t);
    jordan(size, r, t, a);
    jordan(size, l, l, b);
    for (int k = 0; k < size; k++) a[k] = (k ? 0 : centre) - b[k] - share * a[k];
    divide(size, l, a, r);
    scaled(size, w, s->beta[n], true, r, t);
    put(size, row, t, s->dz);
  }
}

bool cone_many_interior_begin(cone_many* f)
{
  const cone_many_problem* p = f->p;
  cone_many_inner* s = &f->inner;
  if (!takes(f)) return false;
  make_room(s, p->r);
  begin(f);
  s->soft = s->fast = 0;
  for (int i = 0; i < p->r; i++) {
    s->soft = fmax(s->soft, f->diagonal[i]);
    s->fast = fmax(s->fast, fabs(p->q[i]));
  }
  s->smooth = s->fast;
  s->turns = 0;
  return true;
}

bool cone_many_interior(cone_many* f, double until, int* turns)
{
  cone_many_inner* s = &f->inner;
  const int r = f->p->r;
  bool inside = true;
  for (; inside; s->turns++) {
    int contacts;
    const double mean = look(f, &contacts), slow = sqrt(mean * s->soft);
    inside = s->turns < most_turns && contacts && slow > cone_interior_done * s->fast;
    if (!inside || !(slow > until * s->fast) || !(inside = factor(f))) break;
    s->smooth = cone_interior_smooth * slow * slow / s->fast;
    (*turns)++;
    for (int i = 0; i < r; i++) s->az[i] = -s->z[i];
    solve(f, s->ay, s->az);
    const double left = 1 - reach(f, s->ay, s->az);
    correct(f, left * left * left * mean, (1 - left) * (1 - left));
    solve(f, s->dy, s->dz);
    const double share = fmin(1, back_off * reach(f, s->dy, s->dz));
    for (int i = 0; i < r; i++) {
      s->y[i] += share * s->dy[i];
      s->z[i] += share * s->dz[i];
    }
  }
  return inside;
}
