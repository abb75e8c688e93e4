// One stationary point followed from a guess near by: Newton on its equations, to rounding.
#include "least/stationary.h"

#include <math.h>
#include <string.h>

num_stationary_status num_stationary_follow(num_stationary* f, const num_stationary_problem* p,
                                            double least_curvature, double* w, double* lambda,
                                            num_stationary_step* out)
{
  num_stationary_frame* q = &f->frame;
  double at[STATIONARY_L], y[STATIONARY_L], moved[STATIONARY_L];
  num_stationary_point point;
  num_stationary_flat flat;
  memset(out, 0, sizeof *out);
  if (!num_stationary_frame_near(f, p, w)) return NUM_STATIONARY_UNEVALUABLE;
  memcpy(at, w, (size_t)p->l * sizeof *w);
  for (int j = 0; j < p->s; j++) y[j] = lambda[j] * q->size[j] / (q->unit * q->unit);
  bool solved = num_stationary_newton(q, at, y, 20, &out->iterations);
  if (!num_stationary_judge(f, solved ? at : w, &point, &flat)) return NUM_STATIONARY_UNEVALUABLE;
  if (point.rank < p->s) return NUM_STATIONARY_RANK;
  if (!solved || !(point.residual <= 1e-9)) return NUM_STATIONARY_LOST;
  for (int i = 0; i < p->l; i++) {
    moved[i] = at[i] - w[i];
    w[i] = at[i];
  }
  memcpy(lambda, point.lambda, (size_t)p->s * sizeof *lambda);
  out->U = point.U;
  out->curvature = point.curvature;
  out->residual = point.residual;
  double far = sqrt(2 * point.U), size = fmax(far, num_stationary_frame_length(q, w));
  out->moved = size > 0 ? num_stationary_frame_length(q, moved) / size : 0;
  return point.curvature < (least_curvature != 0 ? least_curvature : 1e-9)
             ? NUM_STATIONARY_FOLD
             : NUM_STATIONARY_FOLLOWED;
}
