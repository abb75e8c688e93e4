// One stationary point followed from a guess near by: Newton on its equations, to rounding.
#include "least/stationary.h"

#include <math.h>
#include <string.h>

least_stationary_status least_stationary_follow(least_stationary* f,
                                                const least_stationary_problem* p,
                                                double least_curvature, double* w, double* lambda,
                                                least_stationary_step* out)
{
  least_stationary_frame* q = &f->frame;
  double at[STATIONARY_L], y[STATIONARY_L], moved[STATIONARY_L];
  least_stationary_point point;
  least_stationary_flat flat;
  memset(out, 0, sizeof *out);
  if (!least_stationary_frame_near(f, p, w)) return LEAST_STATIONARY_UNEVALUABLE;
  memcpy(at, w, (size_t)p->l * sizeof *w);
  for (int j = 0; j < p->s; j++) y[j] = lambda[j] * q->size[j] / (q->unit * q->unit);
  bool solved = least_stationary_newton(q, at, y, 20, &out->iterations);
  if (!least_stationary_judge(f, solved ? at : w, &point, &flat))
    return LEAST_STATIONARY_UNEVALUABLE;
  if (point.rank < p->s) return LEAST_STATIONARY_RANK;
  if (!solved || !(point.residual <= 1e-9)) return LEAST_STATIONARY_LOST;
  for (int i = 0; i < p->l; i++) {
    moved[i] = at[i] - w[i];
    w[i] = at[i];
  }
  memcpy(lambda, point.lambda, (size_t)p->s * sizeof *lambda);
  out->U = point.U;
  out->curvature = point.curvature;
  out->residual = point.residual;
  double far = sqrt(2 * point.U), size = fmax(far, least_stationary_frame_length(q, w));
  out->moved = size > 0 ? least_stationary_frame_length(q, moved) / size : 0;
  return point.curvature < (least_curvature != 0 ? least_curvature : 1e-9)
             ? LEAST_STATIONARY_FOLD
             : LEAST_STATIONARY_FOLLOWED;
}
