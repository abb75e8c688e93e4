// The inequalities of a model as gaps of bodies in flight.
//
// Each closes where a quadratic function of coordinates falls through zero: it is one itself, or it
// compares the root of one with a constant, as a distance does.
#include "walk/flights_build.h"

#include "engine/engine.h"

#include <stdlib.h>
#include <string.h>

// ---- as expressions -----------------------------------------------------------------------------

// x = fixed + the rest, by whether a term holds a coordinate
static void split(walk_flight_builder* b, expr x, expr* fixed, expr* rest)
{
  *fixed = *rest = expr_int(b->pool, 0);
  const bool sum = expr_kind_of(b->pool, x) == EXPR_SUM;
  for (int i = 0; i < (sum ? expr_arg_count(b->pool, x) : 1); i++) {
    const expr term = sum ? expr_arg(b->pool, x, i) : x;
    expr* to = expr_index_any(b->pool, b->places, term) ? rest : fixed;
    *to = expr_add(b->pool, *to, term);
  }
}

static bool sketch(walk_flight_builder* b, int k, walk_flight_draft* d)
{
  const expr f0 = b->e->s->f0[k];
  if (expr_index_any(b->pool, b->others, f0))
    return walk_flights_refuse(b, "a gap changes by itself");
  split(b, f0, &d->fixed, &d->rest);
  d->square = f0;
  walk_flights_look_at(b, f0, &d->x);
  d->root = !d->x.is_one;
  if (!d->root) return true;
  d->square = expr_mul(b->pool, d->rest, d->rest);
  walk_flights_look_at(b, d->square, &d->x);
  return d->x.is_one || walk_flights_refuse(b, "a gap is neither quadratic nor a distance");
}

bool walk_flights_sketch_gaps(walk_flight_builder* b)
{
  b->f->gaps = b->e->m;
  b->draft = base_alloc(sizeof *b->draft * (size_t)(b->f->gaps + 1));
  for (int k = 0; k < b->f->gaps; k++)
    if (!sketch(b, k, &b->draft[k])) return false;
  return true;
}

// Coordinates that occur in the same gaps, of those that hold several, are one body: x and y of a
// disc. Each has the sum of numbers drawn for these gaps; should two sums be alike by chance, the
// body is larger than need be, and its motion the same.
void walk_flights_join_by_gaps(walk_flight_builder* b)
{
  const int n = b->e->n;
  uint64_t* sum = base_alloc(sizeof *sum * (size_t)(n + 1));
  for (int k = 0; k < b->f->gaps; k++) {
    const walk_flight_quadratic* x = &b->draft[k].x;
    uint64_t drawn = ((uint64_t)k + 1) * 0x9e3779b97f4a7c15u;
    drawn = (drawn ^ drawn >> 29) * 0xbf58476d1ce4e5b9u;
    for (int i = 0; i < x->n && x->n > 1; i++) sum[x->coord[i]] += drawn ^ drawn >> 32;
  }
  // of one gap, neighbours in it
  for (int k = 0; k < b->f->gaps; k++) {
    const walk_flight_quadratic* x = &b->draft[k].x;
    for (int i = 0; i < x->n; i++)
      for (int j = 0; j < i; j++)
        if (sum[x->coord[i]] == sum[x->coord[j]]) walk_flights_join(b, x->coord[i], x->coord[j]);
  }
  free(sum);
}

// ---- as numbers ---------------------------------------------------------------------------------

// the bodies whose coordinates it holds, at most two
static bool find_partners(walk_flight_builder* b, const walk_flight_quadratic* x,
                          walk_flight_gap* g)
{
  g->body[0] = g->body[1] = WALK_FLIGHT_NOBODY;
  for (int i = 0; i < x->n; i++) {
    const int body = b->body_of[x->coord[i]];
    if (g->body[0] == body || g->body[1] == body) continue;
    const int at = g->body[0] == WALK_FLIGHT_NOBODY ? 0 : 1;
    if (g->body[at] != WALK_FLIGHT_NOBODY)
      return walk_flights_refuse(b, "a gap is one of three bodies");
    g->body[at] = body;
  }
  for (int k = 0; k < 2 && g->body[k] >= 0; k++) g->n += b->f->body[g->body[k]].n;
  return g->body[0] >= 0 || walk_flights_refuse(b, "a gap holds no coordinate");
}

// where a coordinate stands in the gap
static int place_of(const walk_flight_builder* b, const walk_flight_gap* g, int coord)
{
  const int first = b->body_of[coord] == g->body[0] ? 0 : b->f->body[g->body[0]].n;
  return first + walk_flights_place_in(&b->f->body[b->body_of[coord]], coord);
}

// Q = L^T D L without square roots, so that differences of coordinates stay such
static bool take_squares(walk_flight_gap* g, double Q[][2 * WALK_FLIGHT_COORDS])
{
  for (int k = 0; k < g->n; k++) {
    const double D = Q[k][k];
    if (D == 0) {
      for (int i = k + 1; i < g->n; i++)
        if (Q[i][k] != 0) return false;
      continue;
    }
    if (g->squares == WALK_FLIGHT_SQUARES) return false;
    double* row = g->row[g->squares];
    for (int i = k; i < g->n; i++) row[i] = Q[k][i] / D;
    for (int i = k; i < g->n; i++)
      for (int j = k; j < g->n; j++) Q[i][j] -= D * row[i] * row[j];
    g->D[g->squares++] = D;
  }
  return true;
}

// what is read at the origin: value, slopes, bends
static void list_numbers(const walk_flight_draft* d, walk_flight_exprs* list)
{
  base_push(list, d->square);
  for (int i = 0; i < d->x.n; i++) base_push(list, d->x.slope[i]);
  for (int i = 0; i < d->x.n; i++)
    for (int j = 0; j < d->x.n; j++) base_push(list, d->x.bend[i][j]);
}

// Sense times (fixed + rest) >= 0, where the rest is a root and keeps its sign: |rest| is to be
// more, or less, than some length.
static bool place_limit(walk_flight_builder* b, int sense, double fixed, double rest,
                        walk_flight_gap* g, double* sign)
{
  const double side = rest < 0 ? -sense : sense, length = -side * sense * fixed;
  if (!(length > 0) || rest == 0) return walk_flights_refuse(b, "a distance is compared with none");
  *sign = side;
  g->c = -side * length * length;
  return true;
}

// at: the values listed, at the origin; here: fixed and rest where the engine stands
static bool fill(walk_flight_builder* b, const walk_flight_draft* d, int sense, const double* at,
                 const double* here, walk_flight_gap* g)
{
  const walk_flight_quadratic* x = &d->x;
  double Q[2 * WALK_FLIGHT_COORDS][2 * WALK_FLIGHT_COORDS] = {{0}}, sign = sense;
  if (!find_partners(b, x, g)) return false;
  if (d->root && !place_limit(b, sense, here[0], here[1], g, &sign)) return false;
  g->c += sign * *at++;
  for (int i = 0; i < x->n; i++) g->G[place_of(b, g, x->coord[i])] = sign * *at++;
  for (int i = 0; i < x->n; i++)
    for (int j = 0; j < x->n; j++)
      Q[place_of(b, g, x->coord[i])][place_of(b, g, x->coord[j])] = sign * *at++;
  return take_squares(g, Q) || walk_flights_refuse(b, "a gap is no sum of squares");
}

static bool fill_all(walk_flight_builder* b, const walk_flight_exprs* list,
                     const walk_flight_exprs* placed)
{
  const model* m = b->e->model;
  double *value = walk_flights_values(b, list), *at = value;
  double* here = base_alloc(sizeof(double) * (size_t)(placed->n + 1));
  engine_values(b->e, placed->n, placed->at, here);
  bool fine = true;
  for (int k = 0; k < b->f->gaps && fine; k++) {
    const model_constraint* c = &m->constraint[k];
    const walk_flight_draft* d = &b->draft[k];
    walk_flight_gap* g = &b->f->gap[k];
    g->name = c->name;
    g->sequential = c->impact == MODEL_SEQUENTIAL;
    g->restitution = here[3 * k + 2];
    fine = fill(b, d, c->sense, at, here + 3 * k, g);
    at += 1 + d->x.n * (1 + d->x.n);
  }
  free(value);
  free(here);
  return fine;
}

bool walk_flights_fill_gaps(walk_flight_builder* b)
{
  const model* m = b->e->model;
  walk_flights* f = b->f;
  walk_flight_exprs list = {0}, placed = {0};
  for (int k = 0; k < f->gaps; k++) {
    const expr e = m->constraint[k].restitution;
    list_numbers(&b->draft[k], &list);
    base_push(&placed, b->draft[k].fixed);
    base_push(&placed, b->draft[k].rest);
    base_push(&placed, e == EXPR_NONE ? expr_int(b->pool, 0) : e);
  }
  const bool fine = fill_all(b, &list, &placed);
  base_list_free(&list);
  base_list_free(&placed);
  return fine;
}
