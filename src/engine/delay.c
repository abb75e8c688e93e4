// Delayed values: what was recorded along the motion, and what is read of it.
#include "engine/delay.h"
#include "engine/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { terms = engine_delay_terms };

// ---- before anything is recorded ----------------------------------------------------------------

void engine_delays_stand(engine* e)
{
  engine_delays* d = e->delays;
  if (!d) return;
  double* value = d->value + d->count * terms;
  // what is delayed may be delayed itself
  for (int again = 0; again < d->count; again++) {
    code_run(e->program->delayed, e->in, value, e->work.scratch);
    for (int k = 0; k < d->count; k++) {
      e->mode.ramp[d->param[k]] = (engine_ramp){.from = value[k], .to = value[k]};
      e->par[d->param[k]] = value[k];
    }
  }
}

void engine_delays_begin(engine* e, double t)
{
  engine_delays* d = e->delays;
  if (!d) return;
  engine_delays_stand(e);
  d->segment.n = d->piece.n = d->term.n = 0;
  for (int k = 0; k < d->count; k++) d->reads[k] = engine_delay_none;
  d->recording = true;
  // what moves at the start did not before
  engine_delays_break(e, t, 1);
}

// ---- record -------------------------------------------------------------------------------------

// Chebyshev's points of the second kind, from -1 to 1
static double point(int i)
{
  return -cos(M_PI * i / (terms - 1));
}

double engine_delays_place(double from, double to, int i)
{
  return i == 0 ? from : i == terms - 1 ? to : from + (to - from) * (1 + point(i)) / 2;
}

void engine_delays_read(engine* e, int i)
{
  engine_delays* d = e->delays;
  double* value = d->value + d->count * terms;
  code_run(e->program->delayed, e->in, value, e->work.scratch);
  for (int k = 0; k < d->count; k++) d->value[k * terms + i] = value[k];
}

// the coefficients c_j of sum c_j T_j through values at the points: a discrete cosine transform
static void expand(const double* value, double* c)
{
  const int n = terms - 1;
  for (int j = 0; j <= n; j++) {
    double sum = 0;
    for (int i = 0; i <= n; i++) {
      const double half = i == 0 || i == n ? 0.5 : 1;
      // T_j(-cos a) = (-1)^j cos(j a)
      sum += half * value[i] * cos(M_PI * (double)((i * j) % (2 * n)) / n);
    }
    c[j] = (j % 2 ? -1 : 1) * sum * (j == 0 || j == n ? 1.0 : 2.0) / n;
  }
}

// what ended before anything can be read of it is given up, many pieces at a time
static void forget(engine_delays* d, double t)
{
  const int pieces = d->piece.n;
  int old = 0;
  while (old < pieces && d->piece.at[old].to < t - 2 * d->longest) old++;
  if (old < 256 || old < pieces / 2) return;
  const size_t each = (size_t)(d->count * terms);
  memmove(d->piece.at, d->piece.at + old, sizeof *d->piece.at * (size_t)(pieces - old));
  memmove(d->term.at, d->term.at + (size_t)old * each,
          sizeof(double) * (size_t)(pieces - old) * each);
  d->piece.n -= old;
  d->term.n -= old * d->count * terms;
  for (int i = 0; i < d->segment.n; i++)
    d->segment.at[i].first = d->segment.at[i].first > old ? d->segment.at[i].first - old : 0;
}

void engine_delays_piece(engine* e, double from, double to)
{
  engine_delays* d = e->delays;
  double c[terms];
  base_push(&d->piece, ((engine_delay_piece){from, to}));
  for (int k = 0; k < d->count; k++) {
    expand(d->value + k * terms, c);
    for (int j = 0; j < terms; j++) base_push(&d->term, c[j]);
  }
  forget(d, to);
}

void engine_delays_break(engine* e, double t, int order)
{
  engine_delays* d = e->delays;
  if (!d || !d->recording || order > engine_delay_breaks) return;
  const int pieces = d->piece.n;
  engine_delay_segment* last = d->segment.n ? &d->segment.at[d->segment.n - 1] : NULL;
  if (last && last->first == pieces) {
    if (order < last->order) last->order = order;
    return;
  }
  base_push(&d->segment, ((engine_delay_segment){t, pieces, order}));
}

// ---- read ---------------------------------------------------------------------------------------

double engine_delays_next(const engine* e)
{
  const engine_delays* d = e->delays;
  double next = INFINITY;
  for (int k = 0; d && d->recording && k < d->count; k++)
    if (d->reads[k] + 1 < d->segment.n)
      next = fmin(next, d->segment.at[d->reads[k] + 1].from + d->lag[k]);
  return next;
}

int engine_delays_arrive(engine* e, double t)
{
  engine_delays* d = e->delays;
  int lowest = engine_delay_breaks + 1;
  for (int k = 0; k < d->count; k++)
    while (d->reads[k] + 1 < d->segment.n && d->segment.at[d->reads[k] + 1].from + d->lag[k] <= t) {
      d->reads[k]++;
      const int order = d->segment.at[d->reads[k]].order;
      if (order < lowest) lowest = order;
    }
  return lowest;
}

// the piece of the segment in which time t lies, or the nearest one
static int find_piece(const engine_delays* d, int segment, double t)
{
  int low = d->segment.at[segment].first;
  int high = segment + 1 < d->segment.n ? d->segment.at[segment + 1].first : d->piece.n;
  for (high--; low < high;) {
    const int middle = (low + high + 1) / 2;
    if (d->piece.at[middle].from <= t)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

// sum c_j T_j(x) with two derivatives by x, by Clenshaw's recurrence differentiated
static void evaluate(const double* c, double x, double out[3])
{
  double b1 = 0, b2 = 0, p1 = 0, p2 = 0, s1 = 0, s2 = 0;
  for (int j = terms - 1; j > 0; j--) {
    const double s = 4 * p1 + 2 * x * s1 - s2, p = 2 * b1 + 2 * x * p1 - p2,
                 b = c[j] + 2 * x * b1 - b2;
    s2 = s1;
    s1 = s;
    p2 = p1;
    p1 = p;
    b2 = b1;
    b1 = b;
  }
  out[0] = c[0] + x * b1 - b2;
  out[1] = b1 + x * p1 - p2;
  out[2] = 2 * p1 + x * s1 - s2;
}

void engine_delays_at(engine* e, double t)
{
  const engine_delays* d = e->delays;
  for (int k = 0; k < d->count; k++) {
    if (d->reads[k] == engine_delay_none || !d->piece.n) continue;
    const double then = t - d->lag[k] + e->t_rest;
    const int piece = find_piece(d, d->reads[k], then);
    const double from = d->piece.at[piece].from, length = d->piece.at[piece].to - from;
    double out[3];
    evaluate(d->term.at + (size_t)(piece * d->count + k) * terms, 2 * (then - from) / length - 1,
             out);
    e->par[d->param[k]] = out[0];
    e->rate[d->param[k]] = 2 * out[1] / length;
    e->rate2[d->param[k]] = 4 * out[2] / (length * length);
  }
}
