// A gap between bodies in flight: when it closes, and the impact that follows.
#include "walk/flights.h"

#include "engine/engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { most_hits = 1000, most_roots = 8, degree = 4 };

// a polynomial in time
typedef struct polynomial
{
  double c[degree + 1];
} polynomial;

static double value(void* context, double t)
{
  const polynomial* p = context;
  double sum = p->c[degree];
  for (int k = degree - 1; k >= 0; k--) sum = sum * t + p->c[k];
  return sum;
}

// places, velocities and accelerations of the bodies of a gap
typedef struct moment
{
  double q[2 * WALK_FLIGHT_COORDS], v[2 * WALK_FLIGHT_COORDS], a[2 * WALK_FLIGHT_COORDS];
} moment;

static void moment_of(const walk_flights* f, const walk_flight_gap* g, double now, moment* m)
{
  int at = 0;
  for (int k = 0; k < 2 && g->body[k] != WALK_FLIGHT_NOBODY; k++) {
    const walk_flight_body* b = &f->body[g->body[k]];
    const double h = now - b->t;
    for (int i = 0; i < b->n; i++, at++) {
      m->q[at] = b->q[i] + h * (b->v[i] + h / 2 * b->a[i]);
      m->v[at] = b->v[i] + h * b->a[i];
      m->a[at] = b->a[i];
    }
  }
}

static double dot(int n, const double* x, const double* y)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

// (x0 + x1 t + x2 t^2)^2 D/2 summed over the squares, and the linear part
static polynomial along(const walk_flight_gap* g, const moment* m)
{
  polynomial p = {{g->c + dot(g->n, g->G, m->q), dot(g->n, g->G, m->v), dot(g->n, g->G, m->a) / 2}};
  for (int k = 0; k < g->squares; k++) {
    const double x0 = dot(g->n, g->row[k], m->q) + g->shift[k], x1 = dot(g->n, g->row[k], m->v),
                 x2 = dot(g->n, g->row[k], m->a) / 2, D = g->D[k] / 2;
    p.c[0] += D * x0 * x0;
    p.c[1] += 2 * D * x0 * x1;
    p.c[2] += D * (x1 * x1 + 2 * x0 * x2);
    p.c[3] += 2 * D * x1 * x2;
    p.c[4] += D * x2 * x2;
  }
  return p;
}

// The first fall of c0 + c1 t + c2 t^2 through zero, without cancellation. One that is at zero, or
// a rounding below, and rises has left it.
double walk_flights_fall(double c0, double c1, double c2)
{
  if (c1 > 0) {
    if (c2 >= 0) return INFINITY;
    const double above = fmax(c0, 0);
    return (c1 + sqrt(c1 * c1 - 4 * c2 * above)) / (-2 * c2);
  }
  if (c0 <= 0) return c1 < 0 || c2 < 0 ? 0 : INFINITY;
  const double square = c1 * c1 - 4 * c2 * c0, root = sqrt(square) - c1;
  return square > 0 && root > 0 ? 2 * c0 / root : INFINITY;
}

// the same of degree 4, within the time that is left
static double first_fall_within(polynomial* p, double reach)
{
  num_root root[most_roots];
  if (p->c[0] <= 0 && p->c[1] < 0) return 0;
  const double tolerance = engine_noise_root * reach;
  const int roots =
      num_roots_series(value, p, 0, degree, p->c, 0, 0, reach, tolerance, most_roots, root);
  for (int k = 0; k < roots; k++)
    if (root[k].direction < 0 && root[k].t > tolerance) return root[k].t;
  return INFINITY;
}

double walk_flights_closing(const walk_flights* f, const walk_flight_gap* g, double now)
{
  moment m;
  moment_of(f, g, now, &m);
  polynomial p = along(g, &m);
  return p.c[3] == 0 && p.c[4] == 0 ? walk_flights_fall(p.c[0], p.c[1], p.c[2])
                                    : first_fall_within(&p, f->until - now);
}

// ---- the impact ---------------------------------------------------------------------------------

// W times a covector of one body
static void spread(const walk_flight_body* b, const double* normal, double* out)
{
  for (int i = 0; i < b->n; i++) out[i] = dot(b->n, b->W + i * b->n, normal);
}

// the gradient of the gap where its bodies stand
static void gradient(const walk_flight_gap* g, const moment* m, double* normal)
{
  memcpy(normal, g->G, sizeof(double) * (size_t)g->n);
  for (int k = 0; k < g->squares; k++) {
    const double x = g->D[k] * (dot(g->n, g->row[k], m->q) + g->shift[k]);
    for (int i = 0; i < g->n; i++) normal[i] += x * g->row[k][i];
  }
}

// Impacts at one instant that feel each other are no two impacts: by laws that take them together
// they have another end. And of bounces that accumulate there is no next.
static int refuse(walk_flights* f, const walk_flight_gap* g, const char* what)
{
  snprintf(f->reason, sizeof f->reason, "at the impact of `%s` %s", g->name, what);
  return 1;
}

// who it was hit by: the number of the gap as walk_flights_gap has it
static int number_of(const walk_flights* f, const walk_flight_gap* g, int which)
{
  return g == &f->made ? -2 - g->body[!which] : (int)(g - f->gap);
}

static int note_hit(walk_flights* f, const walk_flight_gap* g, int which, const double* normal,
                    const double* push, double t)
{
  walk_flight_body* b = &f->body[g->body[which]];
  const bool again = t - b->hit <= engine_same_time * engine_scale_instant(f->e, t);
  const int number = number_of(f, g, which);
  double other[WALK_FLIGHT_COORDS];
  spread(b, b->hit_normal, other);
  const double both = sqrt(dot(b->n, normal, push) * dot(b->n, b->hit_normal, other));
  const bool felt = fabs(dot(b->n, b->hit_normal, push)) > engine_noise_speed * both;
  const bool others = again && felt && number != b->hit_gap && !g->sequential;
  b->hits = again ? b->hits + 1 : 0;
  b->hit = t;
  b->hit_gap = number;
  memcpy(b->hit_normal, normal, sizeof(double) * (size_t)b->n);
  if (b->hits > most_hits) return refuse(f, g, "bounces accumulate");
  return others && refuse(f, g, "several contacts that feel each other close at once");
}

int walk_flights_hit(walk_flights* f, const walk_flight_gap* g, double t)
{
  moment m;
  double normal[2 * WALK_FLIGHT_COORDS], push[2 * WALK_FLIGHT_COORDS];
  moment_of(f, g, t, &m);
  gradient(g, &m, normal);
  int at = 0;
  for (int k = 0; k < 2 && g->body[k] != WALK_FLIGHT_NOBODY; k++) {
    walk_flight_body* b = &f->body[g->body[k]];
    spread(b, normal + at, push + at);
    if (note_hit(f, g, k, normal + at, push + at, t)) return 1;
    at += b->n;
  }
  const double mobility = dot(g->n, normal, push), rate = dot(g->n, normal, m.v);
  if (!(mobility > 0)) return refuse(f, g, "nothing can move along its gap");
  if (!(rate < 0)) return 0;
  const double impulse = -(1 + g->restitution) * rate / mobility;
  at = 0;
  for (int k = 0; k < 2 && g->body[k] != WALK_FLIGHT_NOBODY; k++) {
    walk_flight_body* b = &f->body[g->body[k]];
    for (int i = 0; i < b->n; i++) b->v[i] += impulse * push[at + i];
    at += b->n;
  }
  // by the impulse along the mean of the rates before and behind
  f->released += impulse * rate * (1 - g->restitution) / 2;
  return 0;
}
