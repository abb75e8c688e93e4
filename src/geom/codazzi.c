// Two coordinates: Gauss's and Codazzi's equations solved for the second tensor of a surface.
//
// With L, M, N = b_11, b_12, b_22:
//   L N - M^2 = R_1212                                                       Briskin (2000), (1.16)
//   L_2 - M_1 = G^1_12 L + (G^2_12 - G^1_11) M - G^2_11 N                                    (1.17)
//   M_2 - N_1 = G^1_22 L + (G^2_22 - G^1_12) M - G^2_12 N
// Elliptic where the curvature is positive, hyperbolic (its characteristics are the asymptotic
// lines) where it is negative, and of both kinds where it changes sign: no data on a curve make a
// well-posed problem of all three. As least squares on a whole box they are one: of the many
// surfaces that can be bent into each other the smoothest is taken. L, M, N are Chebyshev
// polynomials; min |r|^2 + mu |W dc|^2 (Levenberg, Marquardt), W = rho^degree.
#include "geom/codazzi.h"
#include "num/num.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rho = 1.5;
enum { MOST_STEPS = 60, EQUATIONS = 3 };

// the metric's numbers at a node, in the coordinates of the unit box
typedef struct node
{
  double g[3], R, K;
  double second[2][3]; // G^k_11, G^k_12, G^k_22
} node;

static bool look(const geom_space* s, const geom_second* b, const double* xi, node* out)
{
  const double q[2] = {b->middle[0] + b->half[0] * xi[0], b->middle[1] + b->half[1] * xi[1]};
  geom_place* p = geom_place_make(s, q);
  const bool fine = p && p->at->regular;
  if (fine) {
    const geom_numbers* r = p->at;
    const double h[2] = {b->half[0], b->half[1]};
    out->g[0] = r->g[0] * h[0] * h[0];
    out->g[1] = r->g[1] * h[0] * h[1];
    out->g[2] = r->g[3] * h[1] * h[1];
    out->R = r->riemann[0] * h[0] * h[0] * h[1] * h[1];
    out->K = r->sectional[0];
    for (int k = 0; k < 2; k++) {
      out->second[k][0] = r->second[k * 4] * h[0] * h[0] / h[k];
      out->second[k][1] = r->second[k * 4 + 1] * h[0] * h[1] / h[k];
      out->second[k][2] = r->second[k * 4 + 3] * h[1] * h[1] / h[k];
    }
  }
  geom_place_free(p);
  return fine;
}

// ---- the equations ------------------------------------------------------------------------------

typedef struct fit
{
  geom_patch* p;
  int nodes, basis;
  node* at;
  double *value, *slope; // of the basis at the nodes: nodes by basis, nodes by basis by 2
  double* weight;
  double size; // of b: equations are divided by it, Gauss's by its square
  double *A, *r, *y, *c;
} fit;

static double chebyshev(int side, int i)
{
  return cos(M_PI * (i + 0.5) / side);
}

static void fit_free(fit* f)
{
  free(f->at);
  free(f->value);
  free(f->slope);
  free(f->weight);
  free(f->A);
  free(f->r);
  free(f->y);
  free(f->c);
}

static bool fit_new(fit* f, const geom_space* s, const geom_second* b, geom_patch* p)
{
  const int side = p->degree + 4, B = p->basis, unknowns = 3 * B;
  *f = (fit){.p = p, .nodes = side * side, .basis = B};
  const int rows = EQUATIONS * f->nodes + unknowns;
  f->at = base_alloc(sizeof *f->at * (size_t)f->nodes);
  f->value = base_alloc(sizeof(double) * (size_t)(f->nodes * B));
  f->slope = base_alloc(sizeof(double) * (size_t)(f->nodes * B * 2));
  f->weight = base_alloc(sizeof(double) * (size_t)B);
  f->A = base_alloc(sizeof(double) * (size_t)rows * (size_t)unknowns);
  f->r = base_alloc(sizeof(double) * (size_t)rows);
  f->y = base_alloc(sizeof(double) * (size_t)(unknowns + 1));
  f->c = base_alloc(sizeof(double) * (size_t)unknowns);
  double* room = base_alloc(sizeof(double) * (size_t)(geom_patch_room(p) + 1));
  bool fine = true;
  for (int k = 0; k < f->nodes && fine; k++) {
    const double xi[2] = {chebyshev(side, k % side), chebyshev(side, k / side)};
    fine = look(s, b, xi, &f->at[k]);
    geom_patch_basis(p, xi, room, f->value + k * B, f->slope + k * B * 2, NULL);
    f->size = fmax(f->size, sqrt(fabs(f->at[k].R)) + 0.1 * (f->at[k].g[0] + f->at[k].g[2]));
  }
  free(room);
  for (int i = 0; i < B; i++) f->weight[i] = pow(rho, p->power[i * 2] + p->power[i * 2 + 1]);
  return fine;
}

// L, M, N and their slopes at a node
static void values(const fit* f, const double* c, int k, double* b, double* d)
{
  const int B = f->basis;
  for (int i = 0; i < 3; i++) {
    b[i] = d[2 * i] = d[2 * i + 1] = 0;
    for (int h = 0; h < B; h++) {
      b[i] += c[i * B + h] * f->value[k * B + h];
      d[2 * i] += c[i * B + h] * f->slope[(k * B + h) * 2];
      d[2 * i + 1] += c[i * B + h] * f->slope[(k * B + h) * 2 + 1];
    }
  }
}

// the three equations from b and its slopes
static void equations(const node* n, const double* b, const double* d, double size, double* r)
{

  r[0] = (b[0] * b[2] - b[1] * b[1] - n->R) / (size * size);
  r[1] = (d[1] - d[2] - n->second[0][1] * b[0] - (n->second[1][1] - n->second[0][0]) * b[1] +
          n->second[1][0] * b[2]) /
         size;
  r[2] = (d[3] - d[4] - n->second[0][2] * b[0] - (n->second[1][2] - n->second[0][1]) * b[1] +
          n->second[1][1] * b[2]) /
         size;
}

// residuals, their square sum returned; with A also the Jacobian by y = W c
static double residuals(const fit* f, const double* c, double* r, double* A)
{
  const int B = f->basis, wide = 3 * B;
  double sum = 0;
  for (int k = 0; k < f->nodes; k++) {
    double b[3], d[6];
    values(f, c, k, b, d);
    equations(&f->at[k], b, d, f->size, r + 3 * k);
    for (int i = 0; i < 3; i++) sum += r[3 * k + i] * r[3 * k + i];
    if (!A) continue;
    const node* n = &f->at[k];
    double *gauss = A + (size_t)(3 * k) * (size_t)wide, *one = gauss + wide, *two = one + wide;
    for (int h = 0; h < B; h++) {
      const double v = f->value[k * B + h] / f->weight[h] / f->size;
      const double u1 = f->slope[(k * B + h) * 2] / f->weight[h] / f->size;
      const double u2 = f->slope[(k * B + h) * 2 + 1] / f->weight[h] / f->size;
      gauss[h] = b[2] * v / f->size;
      gauss[B + h] = -2 * b[1] * v / f->size;
      gauss[2 * B + h] = b[0] * v / f->size;
      one[h] = u2 - n->second[0][1] * v;
      one[B + h] = -u1 - (n->second[1][1] - n->second[0][0]) * v;
      one[2 * B + h] = n->second[1][0] * v;
      two[h] = -n->second[0][2] * v;
      two[B + h] = u2 - (n->second[1][2] - n->second[0][1]) * v;
      two[2 * B + h] = -u1 + n->second[1][1] * v;
    }
  }
  return sum;
}

static double try_step(fit* f, double mu)
{
  const int rows = EQUATIONS * f->nodes, B = f->basis, wide = 3 * B;
  residuals(f, f->p->c, f->r, f->A);
  for (int i = 0; i < rows; i++) f->r[i] = -f->r[i];
  memset(f->A + (size_t)rows * (size_t)wide, 0, sizeof(double) * (size_t)wide * (size_t)wide);
  for (int i = 0; i < wide; i++) {
    f->A[(size_t)(rows + i) * (size_t)wide + (size_t)i] = sqrt(mu);
    f->r[rows + i] = 0;
  }
  num_least_squares(rows + wide, wide, f->A, f->r, f->y);
  for (int i = 0; i < wide; i++) f->c[i] = f->p->c[i] + f->y[i] / f->weight[i % B];
  return residuals(f, f->c, f->r, NULL);
}

static void minimise(fit* f)
{
  const int wide = 3 * f->basis;
  const double done = EQUATIONS * f->nodes * 1e-26;
  double mu = 1e-2, now = residuals(f, f->p->c, f->r, NULL);
  int slow = 0;
  for (int step = 0; step < MOST_STEPS && now > done && slow < 5; step++) {
    const double next = try_step(f, mu);
    if (next < now) {
      slow = next > 0.8 * now ? slow + 1 : 0;
      memcpy(f->p->c, f->c, sizeof(double) * (size_t)wide);
      now = next;
      mu = fmax(mu / 10, 1e-18);
    } else {
      mu = fmin(mu * 10, 10);
      slow++;
    }
  }
}

// ---- start and end ------------------------------------------------------------------------------

// In the frame g = E E^T, E lower: k1 along one direction, K/k1 along the other; as a polynomial by
// least squares on the nodes, which Chebyshev's polynomials make a sum.
static void begin(const fit* f, double k1, int along)
{
  const int side = f->p->degree + 4, B = f->basis;
  memset(f->p->c, 0, sizeof(double) * (size_t)(3 * B));
  for (int k = 0; k < f->nodes; k++) {
    const node* n = &f->at[k];
    const double e = sqrt(n->g[along ? 2 : 0]), m = n->g[1] / e;
    const double det = n->g[0] * n->g[2] - n->g[1] * n->g[1], rest = det / (e * e);
    // theta_1 = e dq_i + m dq_j, theta_2 = sqrt(rest) dq_j
    double b[3];
    b[along ? 2 : 0] = k1 * e * e;
    b[1] = k1 * e * m;
    b[along ? 0 : 2] = k1 * m * m + n->K / k1 * rest;
    for (int h = 0; h < B; h++) {
      const int *power = f->p->power + h * 2, total = power[0] + power[1];
      // rough: of low degree, the solution is to find the rest
      if (total > 6) continue;
      const double scale = (power[0] ? 2.0 : 1.0) * (power[1] ? 2.0 : 1.0) / (side * side);
      for (int i = 0; i < 3; i++) f->p->c[i * B + h] += scale * b[i] * f->value[k * B + h];
    }
  }
}

// b_ab = x_ab . nu of a map, in the coordinates of the unit box
static void begin_from(const fit* f, const geom_second* out, const geom_patch* x)
{
  const int side = f->p->degree + 4, B = f->basis;
  memset(f->p->c, 0, sizeof(double) * (size_t)(3 * B));
  for (int k = 0; k < f->nodes; k++) {
    double q[2], d[6], dd[12], nu[3], b[3] = {0}, size = 0;
    for (int i = 0; i < 2; i++)
      q[i] = out->middle[i] + out->half[i] * chebyshev(side, i ? k / side : k % side);
    geom_patch_eval(x, q, NULL, d, dd);
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      nu[i] = d[j * 2] * d[l * 2 + 1] - d[l * 2] * d[j * 2 + 1];
      size += nu[i] * nu[i];
    }
    for (int i = 0; i < 3; i++) {
      const double unit = nu[i] / sqrt(size);
      b[0] += unit * dd[i * 4] * out->half[0] * out->half[0];
      b[1] += unit * dd[i * 4 + 1] * out->half[0] * out->half[1];
      b[2] += unit * dd[i * 4 + 3] * out->half[1] * out->half[1];
    }
    for (int h = 0; h < B; h++) {
      const int* power = f->p->power + h * 2;
      const double scale = (power[0] ? 2.0 : 1.0) * (power[1] ? 2.0 : 1.0) / (side * side);
      for (int i = 0; i < 3; i++) f->p->c[i * B + h] += scale * b[i] * f->value[k * B + h];
    }
  }
}

// the equations between the nodes, and the range of the curvature
static bool measure(const geom_space* s, geom_second* out, double size)
{
  const int B = out->b.basis, points = 15;
  double* value = base_alloc(sizeof(double) * (size_t)(3 * B + geom_patch_room(&out->b)));
  double *slope = value + B, *room = slope + 2 * B;
  out->residual = 0;
  out->least = INFINITY;
  out->most = -INFINITY;
  bool fine = true;
  for (int k = 0; k < points * points && fine; k++) {
    const double xi[2] = {2.0 * (k % points) / (points - 1) - 1,
                          2.0 * (k / points) / (points - 1) - 1};
    node n;
    fine = look(s, out, xi, &n);
    geom_patch_basis(&out->b, xi, room, value, slope, NULL);
    double b[3] = {0}, d[6] = {0}, r[3];
    for (int i = 0; i < 3; i++)
      for (int h = 0; h < B; h++) {
        b[i] += out->b.c[i * B + h] * value[h];
        d[2 * i] += out->b.c[i * B + h] * slope[2 * h];
        d[2 * i + 1] += out->b.c[i * B + h] * slope[2 * h + 1];
      }
    if (!fine) break;
    equations(&n, b, d, size, r);
    for (int i = 0; i < 3; i++) out->residual = fmax(out->residual, fabs(r[i]));
    out->least = fmin(out->least, n.K);
    out->most = fmax(out->most, n.K);
  }
  free(value);
  return fine && isfinite(out->residual);
}

// from one start upwards; false where the metric has no value
static bool climb(const geom_space* s, base_arena* arena, int first, int most, double wanted,
                  int along, const geom_patch* x, geom_second* out)
{
  static const double unit[4] = {-1, -1, 1, 1};
  geom_second best = {0};
  best.residual = INFINITY;
  for (int degree = first; degree <= most; degree += 4) {
    geom_second now = *out;
    now.b = geom_patch_take_full(arena, 2, 3, degree, unit, unit + 2);
    fit f;
    bool fine = fit_new(&f, s, out, &now.b);
    if (fine) {
      double size = 0;
      for (int k = 0; k < f.nodes; k++) size = fmax(size, fabs(f.at[k].K));
      if (isinf(best.residual) && x)
        begin_from(&f, out, x);
      else if (isinf(best.residual))
        begin(&f, sqrt(size + 0.1 / (1 + size)), along);
      else
        geom_patch_copy(&best.b, &now.b);
      minimise(&f);
      fine = measure(s, &now, f.size);
    }
    fit_free(&f);
    if (!fine) return isfinite(best.residual);
    if (now.residual < best.residual || isinf(best.residual)) best = now;
    if (best.residual < wanted) break;
    // hopeless from this start
    if (degree >= 10 && best.residual > 0.3) break;
  }
  *out = best;
  return isfinite(best.residual);
}

bool geom_second_find(const geom_space* s, base_arena* arena, const double* low, const double* high,
                      const geom_patch* near, int most, double wanted, geom_second* out)
{
  geom_second best = {0};
  bool found = false;
  for (int along = 0; along < (near ? 1 : 2); along++) {
    geom_second now = {0};
    for (int i = 0; i < 2; i++) {
      now.middle[i] = (low[i] + high[i]) / 2;
      now.half[i] = (high[i] - low[i]) / 2;
    }
    const int first = near ? most - 4 : 6;
    if (!climb(s, arena, first, most, wanted, along, near, &now)) continue;
    if (!found || now.residual < best.residual) best = now;
    found = true;
    if (best.residual < 1e-5) break;
  }
  *out = best;
  return found;
}
