// The derivational formulas: a surface from its two tensors.
//
//   d_x xi_b = G^s_xb xi_s + b_xb nu,  d_x nu = -b_x^s xi_s,  d_b x = xi_b   Briskin (2000), (1.18)
// linear and completely integrable where Gauss's and Codazzi's equations hold. From the middle of
// the box along the first coordinate, then from every node of that line along the second; the other
// way round to the corners as a test: the frame keeps its lengths whatever b is, but not its end.
#include "geom/codazzi.h"
#include "num/num.h"
#include "step/step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// position, xi_1, xi_2, nu: three numbers each
enum { POSITION = 0, ONE = 3, TWO = 6, NORMAL = 9, STATE = 12 };
static const double tolerance = 1e-13;

typedef struct walk
{
  const geom_space* s;
  const geom_second* b;
  int along;
  double other; // the coordinate that stays, in the unit box
  double *value, *room;
} walk;

// along one coordinate of the unit box
static int rhs(void* context, double t, const double* y, double* dy)
{
  walk* w = context;
  const geom_second* b = w->b;
  const int B = b->b.basis, a = w->along;
  const double xi[2] = {a ? w->other : t, a ? t : w->other}, *h = b->half;
  const double q[2] = {b->middle[0] + h[0] * xi[0], b->middle[1] + h[1] * xi[1]};
  geom_patch_basis(&b->b, xi, w->room, w->value, NULL, NULL);
  double second[3] = {0};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < B; k++) second[i] += b->b.c[i * B + k] * w->value[k];
  geom_place* p = geom_place_make(w->s, q);
  const bool fine = p && p->at->regular;
  if (fine) {
    const geom_numbers* r = p->at;
    // b_a1, b_a2, and b_a^s = g^sl b_al, in the unit box
    const double low[2] = {second[a], second[a + 1]};
    double up[2];
    for (int s = 0; s < 2; s++) {
      up[s] = 0;
      for (int l = 0; l < 2; l++) up[s] += r->inverse[s * 2 + l] / (h[s] * h[l]) * low[l];
    }
    for (int k = 0; k < 3; k++) {
      dy[POSITION + k] = y[(a ? TWO : ONE) + k];
      for (int c = 0; c < 2; c++) {
        double sum = low[c] * y[NORMAL + k];
        for (int s = 0; s < 2; s++)
          sum += r->second[s * 4 + a * 2 + c] * h[a] * h[c] / h[s] * y[(s ? TWO : ONE) + k];
        dy[(c ? TWO : ONE) + k] = sum;
      }
      dy[NORMAL + k] = -up[0] * y[ONE + k] - up[1] * y[TWO + k];
    }
  }
  geom_place_free(p);
  return fine ? 0 : 1;
}

// y from t to the ends of the line; at[i] in ascending order on one side of t; states into out
static bool follow(walk* w, double t, const double* y, int count, const double* at, double* out)
{
  double abs_tol[STATE];
  for (int i = 0; i < STATE; i++) abs_tol[i] = tolerance;
  const step_ode ode = {
      .n = STATE, .rhs = rhs, .context = w, .rel_tol = tolerance, .abs_tol = abs_tol};
  step_stepper* s = step_method_dop853.create(&step_method_dop853, &ode);
  double now[STATE];
  memcpy(now, y, sizeof now);
  bool fine = true;
  for (int i = 0; i < count && fine; i++) {
    // a node in the middle is the middle up to rounding
    if (fabs(at[i] - t) > 1e-12) {
      fine = step_carry(s, t, now, at[i], &(step_way){.most_steps = 2000}) == STEP_OK;
      memcpy(now, s->y, sizeof now);
      t = at[i];
    }
    memcpy(out + i * STATE, now, sizeof now);
  }
  s->method->destroy(s);
  return fine;
}

// from the middle of a line to all its nodes, which go down from 1 to -1
static bool line(walk* w, const double* y, int side, const double* node, double* out)
{
  const int half = side / 2;
  double* upward = base_alloc(sizeof(double) * (size_t)(side * (STATE + 1)));
  double* state = upward + side;
  for (int i = 0; i < half; i++) upward[i] = node[half - 1 - i];
  bool fine = follow(w, 0, y, half, upward, state);
  for (int i = 0; i < half; i++)
    memcpy(out + (half - 1 - i) * STATE, state + i * STATE, sizeof(double) * STATE);
  fine = fine && follow(w, 0, y, side - half, node + half, out + half * STATE);
  free(upward);
  return fine;
}

// the frame at the middle: xi_1 along the first axis
static bool start(const geom_space* s, const geom_second* b, double* y)
{
  double g[4];
  memset(y, 0, sizeof(double) * STATE);
  if (!geom_space_metric(s, b->middle, g)) return false;
  const double g11 = g[0] * b->half[0] * b->half[0], g12 = g[1] * b->half[0] * b->half[1];
  const double g22 = g[3] * b->half[1] * b->half[1], left = g22 - g12 * g12 / g11;
  if (!(left > 0)) return false;
  y[ONE] = sqrt(g11);
  y[TWO] = g12 / sqrt(g11);
  y[TWO + 1] = sqrt(left);
  y[NORMAL + 2] = 1;
  return true;
}

// a corner by both ways
static bool both_ways(walk* w, const double* y, double u, double v, double* apart)
{
  double end[2][STATE], half[STATE];
  for (int first = 0; first < 2; first++) {
    w->along = first;
    w->other = 0;
    const double near = first ? v : u, far = first ? u : v;
    if (!follow(w, 0, y, 1, &near, half)) return false;
    w->along = !first;
    w->other = near;
    if (!follow(w, 0, half, 1, &far, end[first])) return false;
  }
  double off = 0, size = 0;
  for (int k = 0; k < 3; k++) {
    off = fmax(off, fabs(end[0][k] - end[1][k]));
    size = fmax(size, fabs(end[0][k]));
  }
  *apart = fmax(*apart, off / size);
  return true;
}

// x on the grid as polynomials of the box
static void take(geom_patch* x, int side, const double* grid)
{
  for (int h = 0; h < x->basis; h++) {
    const int i = x->power[h * 2], j = x->power[h * 2 + 1];
    const double scale = (i ? 2.0 : 1.0) * (j ? 2.0 : 1.0) / (side * side);
    for (int k = 0; k < 3; k++) x->c[k * x->basis + h] = 0;
    for (int a = 0; a < side; a++)
      for (int c = 0; c < side; c++) {
        const double w =
            scale * cos(i * M_PI * (a + 0.5) / side) * cos(j * M_PI * (c + 0.5) / side);
        for (int k = 0; k < 3; k++)
          x->c[k * x->basis + h] += w * grid[(a * side + c) * STATE + POSITION + k];
      }
  }
}

bool geom_second_surface(const geom_space* s, base_arena* arena, const geom_second* b,
                         const double* low, const double* high, int degree, geom_patch* x,
                         double* apart)
{
  const int side = degree + 1;
  double* room = base_alloc(sizeof(double) * (size_t)(b->b.basis + geom_patch_room(&b->b) +
                                                      side * (side + 1) * STATE + side));
  double *first = room + b->b.basis + geom_patch_room(&b->b), *grid = first + side * STATE;
  double *node = grid + side * side * STATE, y[STATE];
  walk w = {.s = s, .b = b, .value = room, .room = room + b->b.basis};
  for (int i = 0; i < side; i++) node[i] = cos(M_PI * (i + 0.5) / side);
  bool fine = start(s, b, y) && line(&w, y, side, node, first);
  for (int i = 0; i < side && fine; i++) {
    w.along = 1;
    w.other = node[i];
    fine = line(&w, first + i * STATE, side, node, grid + i * side * STATE);
  }
  *apart = 0;
  for (int k = 0; k < 4 && fine; k++)
    fine = both_ways(&w, y, k & 1 ? 1 : -1, k & 2 ? 1 : -1, apart);
  if (fine) {
    *x = geom_patch_take_full(arena, 2, 3, degree, low, high);
    take(x, side, grid);
  }
  free(room);
  return fine;
}
