// The branches that meet in a singular position, counted from the second-order terms of the
// constraints, for a run that ends there.
//
// With Z a basis of the directions that A leaves free there and w the left null vectors of A, a
// branch leaves along Z x only if
//   x^T Q_k x = 0,   Q_k = sum_r w_kr Z^T (dA_r/dq) Z,
// which are as many quadrics as rank was lost (second-order terms of w^T f).
#include "walk/passage.h"
#include "walk/singular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_branches = 16, most_starts = 200, most_turns = 40 };

typedef struct quadrics
{
  int dimension, count; // of the free directions; of the quadrics
  double* Z;            // dimension by n, orthonormal rows, in units of the weights
  double* Q;            // count by dimension by dimension
  double* x;            // solutions found, most_branches by dimension
  int solutions;
} quadrics;

static double dot(int n, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

// directions orthogonal to the rows of U whose singular values have not vanished
static void free_directions(const engine_rank* k, double cut, quadrics* q)
{
  const int n = k->n;
  double* basis = base_alloc(sizeof(double) * (size_t)((n + 1) * n));
  int kept = 0;
  for (int i = 0; i < k->rows; i++)
    if (k->sigma[i] > cut) memcpy(basis + kept++ * n, k->U + i * n, sizeof(double) * (size_t)n);
  const int bound = kept;
  for (int j = 0; j < n && kept < n; j++) {
    double* x = basis + kept * n;
    memset(x, 0, sizeof(double) * (size_t)n);
    x[j] = 1;
    const double left = engine_left_over(kept, n, basis, x);
    if (left < engine_same_basis) continue;
    for (int i = 0; i < n; i++) x[i] /= left;
    kept++;
  }
  q->dimension = kept - bound;
  q->Z = base_alloc(sizeof(double) * (size_t)(q->dimension * n + 1));
  memcpy(q->Z, basis + bound * n, sizeof(double) * (size_t)(q->dimension * n));
  free(basis);
}

// Q_k by central differences of the rows along each free direction
static void second_order(engine* e, engine_rank* k, double cut, quadrics* q)
{
  const int n = k->n, d = q->dimension;
  double size = 0;
  for (int i = 0; i < n; i++) size = fmax(size, fabs(e->q[i]) / e->work.weight[i]);
  const double h = engine_branch_way * (size > 0 ? size : 1);
  double* here = base_alloc(sizeof(double) * (size_t)(n + 2 * k->rows * n));
  double *up = here + n, *down = up + k->rows * n;
  memcpy(here, e->v, sizeof(double) * (size_t)n);
  q->Q = base_alloc(sizeof(double) * (size_t)(k->rows * d * d + 1));
  for (int j = 0; j < d; j++) {
    for (int i = 0; i < n; i++) e->v[i] = q->Z[j * n + i] * e->work.weight[i];
    const double t = e->in[0];
    engine_rank_ahead(k, h, up);
    engine_rank_ahead(k, -h, down);
    engine_time(e, t);
    q->count = 0;
    for (int i = 0; i < k->rows; i++) {
      if (k->sigma[i] > cut) continue;
      for (int l = 0; l < d; l++) {
        double sum = 0;
        for (int r = 0; r < k->rows; r++)
          for (int c = 0; c < n; c++)
            sum += k->W[i * k->rows + r] * (up[r * n + c] - down[r * n + c]) * q->Z[l * n + c];
        q->Q[(q->count * d + j) * d + l] = sum / (2 * h);
      }
      q->count++;
    }
  }
  memcpy(e->v, here, sizeof(double) * (size_t)n);
  free(here);
}

static double value(const quadrics* q, int k, const double* x, double* gradient)
{
  const int d = q->dimension;
  double sum = 0;
  for (int i = 0; i < d; i++) {
    gradient[i] = 0;
    for (int j = 0; j < d; j++) {
      sum += x[i] * q->Q[(k * d + i) * d + j] * x[j];
      gradient[i] += (q->Q[(k * d + i) * d + j] + q->Q[(k * d + j) * d + i]) * x[j];
    }
  }
  return sum;
}

static void add(quadrics* q, const double* x)
{
  const int d = q->dimension;
  for (int s = 0; s < q->solutions; s++)
    if (fabs(fabs(dot(d, q->x + s * d, x)) - 1) < engine_same_direction) return;
  if (q->solutions < most_branches)
    memcpy(q->x + q->solutions++ * d, x, sizeof(double) * (size_t)d);
}

// Newton's method on the unit sphere from many directions
static void solve(quadrics* q)
{
  const int d = q->dimension;
  double* x = base_alloc(sizeof(double) * (size_t)(3 * d + q->count * (d + 1) + 1));
  double *step = x + d, *gradient = step + d, *J = gradient + d, *f = J + q->count * d;
  double* zero = base_alloc(sizeof(double) * (size_t)(d + 1));
  num_null* null = num_null_new(q->count, d);
  uint64_t seed = 41;
  q->x = base_alloc(sizeof(double) * (size_t)(most_branches * d + 1));
  for (int start = 0; start < most_starts; start++) {
    engine_shake(x, d, zero, 1, NULL, &seed);
    double off = INFINITY;
    for (int turn = 0; turn < most_turns && off > engine_quadric_done; turn++) {
      const double norm = sqrt(dot(d, x, x));
      for (int i = 0; i < d; i++) x[i] /= norm;
      off = 0;
      for (int k = 0; k < q->count; k++) {
        f[k] = -value(q, k, x, J + k * d);
        off = fmax(off, fabs(f[k]));
      }
      num_null_factor(null, q->count, d, J, engine_quadric_pivot);
      num_null_solve(null, J, f, step);
      for (int i = 0; i < d; i++) x[i] += step[i];
    }
    const double norm = sqrt(dot(d, x, x));
    for (int i = 0; i < d; i++) x[i] /= norm;
    if (off < engine_quadric_solved) add(q, x);
  }
  num_null_free(null);
  free(zero);
  free(x);
}

// the names of the constraints whose rows depend on each other there
static void name_constraints(const engine* e, const engine_rank* k, double cut, base_text* out)
{
  int listed = 0, at = 0;
  for (int r = 0; r < e->mode.rows; r++) {
    if (!engine_rank_counts(e, e->mode.row[r])) continue;
    double share = 0;
    for (int i = 0; i < k->rows; i++)
      if (k->sigma[i] <= cut) share = fmax(share, fabs(k->W[i * k->rows + at]));
    at++;
    if (share < engine_branch_share) continue;
    if (++listed <= 6)
      base_text_printf(out, "%s`%s`", listed > 1 ? ", " : "",
                       e->model->constraint[e->mode.row[r]].name);
  }
  if (listed > 6) base_text_printf(out, " and %d more", listed - 6);
}

static void name_direction(const engine* e, const quadrics* q, const double* x, base_text* out)
{
  const int n = e->n, d = q->dimension;
  double largest = 0;
  double* v = base_alloc(sizeof(double) * (size_t)(n + 1));
  int listed = 0, first = -1;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < d; j++) v[i] += x[j] * q->Z[j * n + i];
    largest = fmax(largest, fabs(v[i]));
  }
  for (int i = 0; i < n && first < 0; i++)
    if (fabs(v[i]) > engine_branch_shown * largest) first = i;
  const double unit = e->work.weight[first];
  base_text_add(out, "(");
  for (int i = 0; i < n; i++) {
    if (fabs(v[i]) < engine_branch_shown * largest || ++listed > 8) continue;
    base_text_printf(out, "%s%s' = %.4g", listed > 1 ? ", " : "", e->model->coord[i].name,
                     v[i] / v[first] * (e->work.weight[i] / unit));
  }
  base_text_add(out, listed > 8 ? ", ...)" : ")");
  free(v);
}

// does the motion imposed from outside ask for a velocity that no direction gives?
static bool is_dead(engine* e, const engine_rank* k, double cut)
{
  double* v = base_alloc(sizeof(double) * (size_t)(e->n + 1));
  memcpy(v, e->v, sizeof(double) * (size_t)e->n);
  memset(e->v, 0, sizeof(double) * (size_t)e->n);
  code_run(e->program->levels, e->in, e->work.level_out, e->work.scratch);
  memcpy(e->v, v, sizeof(double) * (size_t)e->n);
  e->factored = false;
  double most = 0, all = 0;
  for (int i = 0; i < k->rows; i++) {
    double along = 0;
    int at = 0;
    for (int r = 0; r < e->mode.rows; r++) {
      const int c = e->mode.row[r];
      if (!engine_rank_counts(e, c)) continue;
      const double rate = e->f1[c] * k->over[c];
      along += k->W[i * k->rows + at++] * rate;
      all = fmax(all, fabs(rate));
    }
    if (k->sigma[i] <= cut) most = fmax(most, fabs(along));
  }
  free(v);
  return most > engine_branch_share * all && all > 0;
}

static void tell_branches(walk_job* r, const quadrics* q, base_text* out)
{
  const engine* e = r->e;
  if (q->dimension > q->count + 1) {
    base_text_printf(out, "; its branches have %d dimensions there", q->dimension - q->count);
    return;
  }
  base_text_printf(out, "; %d branch%s there%s", q->solutions,
                   q->solutions == 1 ? " is" : "es meet", q->solutions ? ": " : "");
  for (int s = 0; s < q->solutions; s++) {
    if (s) base_text_add(out, ", ");
    name_direction(e, q, q->x + s * q->dimension, out);
  }
}

// what is below it has vanished: the least of all, and what is as small
static double cut_of(const engine_rank* k)
{
  double largest = 0, least = INFINITY;
  for (int i = 0; i < k->rows; i++) {
    largest = fmax(largest, k->sigma[i]);
    least = fmin(least, k->sigma[i]);
  }
  return fmax(engine_vanished * largest, 3 * least);
}

static void tell(walk_job* r, engine_rank* k, base_text* out)
{
  engine* e = r->e;
  const double cut = cut_of(k);
  double speed = 0;
  for (int i = 0; i < e->n; i++) speed = fmax(speed, fabs(e->v[i]));
  if (is_dead(e, k, cut)) {
    base_text_add(out, "a dead position: the constraints ");
    name_constraints(e, k, cut, out);
    base_text_add(out, " lose rank there, and nothing follows the motion they impose any further");
    return;
  }
  quadrics q = {0};
  base_text_add(out, "a singular position: the constraints ");
  name_constraints(e, k, cut, out);
  base_text_add(out, " lose rank there");
  free_directions(k, cut, &q);
  second_order(e, k, cut, &q);
  solve(&q);
  tell_branches(r, &q, out);
  base_text_add(out, speed > engine_branch_rest * r->singular->fastest
                         ? ", and the velocity does not tell which one goes on"
                         : ", and it stands still: nothing tells which one goes on");
  free(q.Z);
  free(q.Q);
  free(q.x);
}

void walk_singular_stop(walk_job* r, engine_rank* k, double t)
{
  base_text text = {0};
  engine_rank_values(k);
  base_text_printf(&text, "at t = %.6g: ", t);
  tell(r, k, &text);
  walk_run_stop(r, WALK_UNFINISHED, text.at);
  r->track->t_reached = t;
  base_text_free(&text);
}
