// Sizes of constraints and corners, from those of the coordinates. See scales.h.
#include "engine/engine.h"
#include "engine/scales.h"

#include <math.h>

static double along(int n, const double* gradient, const double* scale)
{
  double sum = 0;
  for (int j = 0; j < n; j++) sum += fabs(gradient[j]) * scale[j];
  return sum;
}

double engine_scale_place(const engine* e, const double* gradient)
{
  return along(e->n, gradient, e->scales->place);
}

double engine_scale_energy(const engine* e)
{
  const engine_scales* s = e->scales;
  double sum = 0;
  for (int i = 0; i < e->n; i++) sum += s->like[i] * s->speed[i] * s->speed[i];
  return sum;
}

double engine_scale_speed(const engine* e, const double* gradient)
{
  return along(e->n, gradient, e->scales->speed);
}

double engine_scale_acceleration(const engine* e, const double* gradient)
{
  return along(e->n, gradient, e->scales->acceleration);
}

// A M^-1 A^T, with the masses on the diagonal
double engine_scale_mobility(const engine* e, const double* gradient)
{
  const engine_scales* s = e->scales;
  double mobility = 0;
  for (int j = 0; j < e->n; j++)
    if (s->like[j] > 0) mobility += gradient[j] * gradient[j] / s->like[j];
  return mobility;
}

double engine_scale_reaction(const engine* e, const double* gradient)
{
  const double mobility = engine_scale_mobility(e, gradient);
  return mobility > 0 ? engine_scale_acceleration(e, gradient) / mobility : 0;
}

// L/V, or V/A where it has not come far yet; the whole run where it has not even moved
double engine_scale_time(const engine* e, const double* gradient)
{
  const double L = engine_scale_place(e, gradient), V = engine_scale_speed(e, gradient),
               A = engine_scale_acceleration(e, gradient), span = e->scales->span;
  const double time = fmax(V > 0 ? L / V : 0, A > 0 ? V / A : 0);
  if (!(span > 0)) return time > 0 ? time : 1;
  return time > 2 * engine_moment * span ? fmin(time, span) : span;
}

// switching function i moved by d in the number x that it holds
static double moved(engine* e, int i, double* x, double d)
{
  const double kept = *x;
  *x += d;
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  *x = kept;
  return e->work.switching[i];
}

// Places are asked on the way, too: an angle as large as pi leads from a zero of its sine to the
// next.
static double corner(engine* e, int i, const double* place, const double* speed)
{
  const engine_scales* s = e->scales;
  const double here = e->work.switching[i], on_the_way = 0.618;
  double size = 0;
  for (int k = s->of.corner_from[i]; k < s->of.corner_from[i + 1]; k++) {
    const int j = s->of.corner_holds[k];
    double* x = e->q + j; // speeds stand behind the coordinates
    const double d = j < e->n ? place[j] : speed[j - e->n], by = fabs(moved(e, i, x, d) - here),
                 before = j < e->n ? fabs(moved(e, i, x, on_the_way * d) - here) : 0;
    size += fmax(isfinite(by) ? by : 0, isfinite(before) ? before : 0);
  }
  code_run(e->program->switches, e->in, e->work.switching, e->work.scratch);
  return size;
}

double engine_scale_corner(engine* e, int i)
{
  return corner(e, i, e->scales->place, e->scales->speed);
}

double engine_scale_corner_terms(engine* e, int i)
{
  return corner(e, i, e->scales->place_terms, e->scales->speed_terms);
}

// the same of a row of the levels, of either kind of system
static double along_row(const engine* e, int k, const double* scale)
{
  if (!e->sparse) return along(e->n, e->LA + k * e->n, scale);
  const engine_sparse* p = e->sparse;
  double sum = 0;
  for (int i = p->A.start[k]; i < p->A.start[k + 1]; i++)
    sum += fabs(p->A_value[i]) * scale[p->A.column[i]];
  return sum;
}

double engine_scale_row(const engine* e, int k, int level)
{
  const engine_scales* s = e->scales;
  return along_row(e, k, level == 0 ? s->place : level == 1 ? s->speed : s->acceleration);
}
