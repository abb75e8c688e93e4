// Which systems go by flights, and their bodies and gaps: all as numbers.
//
// Bodies are the coordinates that the masses couple; masses and forces must be constant, so that
// each body flies along a parabola. An inequality closes where a quadratic function of coordinates
// falls through zero: it is one itself, or a constant less than a root of one, as a distance is.
#include "walk/flights_build.h"

#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void* walk_flights_take(walk_flight_builder* b, int count, size_t size)
{
  return base_arena_take(b->e->arena, (size_t)(count + 1) * size);
}

bool walk_flights_refuse(walk_flight_builder* b, const char* why)
{
  if (!b->why) b->why = why;
  return false;
}

bool walk_flights_is_constant(const walk_flight_builder* b, expr x)
{
  return !expr_index_any(b->pool, b->places, x) && !expr_index_any(b->pool, b->others, x);
}

static void index_symbols(walk_flight_builder* b)
{
  const engine* e = b->e;
  const engine_program* p = e->program;
  const int changing = p->inputs - p->givens;
  expr* other = base_alloc(sizeof(expr) * (size_t)(changing + 1));
  int count = 0;
  // the layout of the inputs: t, q, v, ...
  for (int i = 0; i < changing; i++)
    if (i < 1 || i > e->n) other[count++] = p->input[i];
  b->others = expr_index_new(count, other);
  b->places = expr_index_new(e->n, p->input + 1);
  free(other);
}

void walk_flights_look_at(walk_flight_builder* b, expr x, walk_flight_quadratic* out)
{
  const expr* symbol = b->e->program->input + 1;
  expr_slope_list list = {0}, second = {0};
  expr_slopes(b->pool, b->places, symbol, x, &list);
  out->is_one = list.n <= WALK_FLIGHT_HELD;
  out->n = out->is_one ? list.n : 0;
  for (int i = 0; i < out->n && out->is_one; i++) {
    out->coord[i] = list.at[i].number;
    out->slope[i] = list.at[i].value;
    for (int j = 0; j < out->n; j++) out->bend[i][j] = expr_int(b->pool, 0);
    second.n = 0;
    if (out->slope[i] != EXPR_NONE) expr_slopes(b->pool, b->places, symbol, out->slope[i], &second);
    out->is_one = out->slope[i] != EXPR_NONE;
    for (int k = 0; k < second.n && out->is_one; k++) {
      int j = 0;
      while (j < out->n && list.at[j].number != second.at[k].number) j++;
      const expr bend = second.at[k].value;
      out->is_one = j < out->n && bend != EXPR_NONE && walk_flights_is_constant(b, bend);
      if (out->is_one) out->bend[i][j] = bend;
    }
  }
  base_list_free(&list);
  base_list_free(&second);
}

double* walk_flights_values(walk_flight_builder* b, const walk_flight_exprs* list)
{
  engine* e = b->e;
  const size_t bytes = sizeof(double) * (size_t)e->n;
  double *value = base_alloc(sizeof(double) * (size_t)(list->n + 1)), *q = base_alloc(bytes + 1);
  memcpy(q, e->q, bytes);
  memset(e->q, 0, bytes);
  engine_values(e, list->n, list->at, value);
  memcpy(e->q, q, bytes);
  free(q);
  return value;
}

// ---- what it takes ------------------------------------------------------------------------------

static bool takes_model(walk_flight_builder* b)
{
  const engine* e = b->e;
  const model* m = e->model;
  if (m->events || m->stages) return walk_flights_refuse(b, "it has events or stages");
  if (m->contacts) return walk_flights_refuse(b, "it has contacts of surfaces that roll or slide");
  if (e->program->modes.count) return walk_flights_refuse(b, "its forces have corners or jumps");
  if (!walk_flights_is_constant(b, b->e->s->power))
    return walk_flights_refuse(b, "its forces do work of their own");
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (!c->sense || c->order)
      return walk_flights_refuse(b, "it has constraints that are no gaps of places");
    if (c->friction != EXPR_NONE) return walk_flights_refuse(b, "its contacts have friction");
    if (e->mode.active[k]) return walk_flights_refuse(b, "a contact is closed at the start");
    if (c->restitution != EXPR_NONE && !walk_flights_is_constant(b, c->restitution))
      return walk_flights_refuse(b, "a restitution changes");
    if (c->impact != MODEL_NEWTON && c->impact != MODEL_SEQUENTIAL)
      return walk_flights_refuse(
          b, "a law of impact is neither Newton's nor one impact after the other");
  }
  return true;
}

// ---- bodies -------------------------------------------------------------------------------------

// one entry of M, by its number in whatever form it is kept; false behind the last
static bool mass_entry(const mech_system* s, int at, int* i, int* j, expr* x)
{
  const mech_rows* M = mech_mass_rows(s);
  if (!M->start) {
    if (at >= s->n * s->n) return false;
    *i = at / s->n;
    *j = at % s->n;
    *x = mech_mass(s)[at];
    return true;
  }
  if (at >= M->count) return false;
  int low = 0, high = s->n;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (M->start[middle] <= at)
      low = middle;
    else
      high = middle;
  }
  *i = low;
  *j = M->column[at];
  *x = M->value[at];
  return true;
}

static int leader_of(int* leader, int i)
{
  while (leader[i] != i) i = leader[i] = leader[leader[i]];
  return i;
}

void walk_flights_join(walk_flight_builder* b, int i, int j)
{
  int* leader = b->body_of;
  const int p = leader_of(leader, i), q = leader_of(leader, j);
  leader[p > q ? p : q] = p > q ? q : p;
}

// coordinates that the masses couple
static bool join_by_masses(walk_flight_builder* b)
{
  const mech_system* s = b->e->s;
  int* leader = b->body_of = walk_flights_take(b, s->n, sizeof(int));
  int i, j;
  expr x;
  for (i = 0; i < s->n; i++) leader[i] = i;
  for (int at = 0; mass_entry(s, at, &i, &j, &x); at++) {
    if (x == expr_int(b->pool, 0)) continue;
    if (!walk_flights_is_constant(b, x))
      return walk_flights_refuse(b, "its masses change with the motion");
    walk_flights_join(b, i, j);
  }
  for (i = 0; i < s->n; i++)
    if (!walk_flights_is_constant(b, s->F[i]))
      return walk_flights_refuse(b, "its forces change with the motion");
  return true;
}

static bool number_bodies(walk_flight_builder* b)
{
  const int n = b->e->n;
  walk_flights* f = b->f;
  int* number = base_alloc(sizeof(int) * (size_t)(n + 1));
  bool fits = true;
  f->body = walk_flights_take(b, n, sizeof *f->body);
  for (int i = 0; i < n && fits; i++) {
    const int first = leader_of(b->body_of, i);
    number[i] = first == i ? f->bodies++ : number[first];
    walk_flight_body* at = &f->body[number[i]];
    fits = at->n < WALK_FLIGHT_COORDS;
    if (fits) at->coord[at->n++] = i;
  }
  memcpy(b->body_of, number, sizeof(int) * (size_t)n);
  free(number);
  return fits || walk_flights_refuse(b, "a body has too many coordinates");
}

int walk_flights_place_in(const walk_flight_body* body, int coord)
{
  int k = 0;
  while (body->coord[k] != coord) k++;
  return k;
}

// inverse masses and accelerations
static bool weigh_bodies(walk_flight_builder* b)
{
  const mech_system* s = b->e->s;
  enum { most = WALK_FLIGHT_COORDS };
  int i, j;
  expr x;
  expr* list =
      base_alloc(sizeof(expr) * (size_t)(s->n + (mech_mass_rows(s)->start ? mech_mass_rows(s)->count
                                                                          : s->n * s->n)));
  memcpy(list, s->F, sizeof(expr) * (size_t)s->n);
  int count = s->n;
  for (int at = 0; mass_entry(s, at, &i, &j, &x); at++) list[count++] = x;
  double* value = base_alloc(sizeof(double) * (size_t)(count + 1));
  engine_values(b->e, count, list, value);
  for (int at = 0; mass_entry(s, at, &i, &j, &x); at++) {
    walk_flight_body* body = &b->f->body[b->body_of[i]];
    if (x == expr_int(b->pool, 0)) continue;
    const int p = walk_flights_place_in(body, i), q = walk_flights_place_in(body, j);
    body->W[p * body->n + q] = body->W[q * body->n + p] = value[s->n + at];
  }
  bool fine = true;
  for (int k = 0; k < b->f->bodies && fine; k++) {
    walk_flight_body* body = &b->f->body[k];
    double M[most * most], column[most];
    int pivot[most];
    memcpy(M, body->W, sizeof M);
    fine = num_lu(body->n, M, pivot);
    for (int p = 0; p < body->n && fine; p++) {
      for (int q = 0; q < body->n; q++) column[q] = p == q;
      num_lu_solve(body->n, M, pivot, column);
      for (int q = 0; q < body->n; q++) body->W[q * body->n + p] = column[q];
    }
    for (int p = 0; p < body->n && fine; p++)
      for (int q = 0; q < body->n; q++)
        body->a[p] += body->W[p * body->n + q] * value[body->coord[q]];
  }
  free(list);
  free(value);
  return fine || walk_flights_refuse(b, "a coordinate has no inertia");
}

// the gaps that each body has a part in
static void share_gaps(walk_flight_builder* b)
{
  walk_flights* f = b->f;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < f->bodies; i++) f->body[i].gaps = 0;
    for (int g = 0; g < f->gaps; g++)
      for (int k = 0; k < 2 && f->gap[g].body[k] >= 0; k++) {
        walk_flight_body* body = &f->body[f->gap[g].body[k]];
        if (pass) body->gap[body->gaps] = g;
        body->gaps++;
      }
    for (int i = 0; i < f->bodies && !pass; i++)
      f->body[i].gap = walk_flights_take(b, f->body[i].gaps, sizeof(int));
  }
}

// ---- all of it ----------------------------------------------------------------------------------

static bool build(walk_flight_builder* b)
{
  walk_flights* f = b->f;
  if (!takes_model(b) || !walk_flights_sketch_gaps(b) || !join_by_masses(b)) return false;
  walk_flights_join_by_gaps(b);
  if (!walk_flights_sketch_solids(b) || !number_bodies(b) || !weigh_bodies(b)) return false;
  f->gap = walk_flights_take(b, f->gaps + f->more_gaps, sizeof *f->gap);
  if (!walk_flights_fill_gaps(b) || !walk_flights_fill_solids(b)) return false;
  share_gaps(b);
  walk_flights_find_centres(f, b->e->arena);
  f->heap = walk_flights_take(b, f->bodies, sizeof(int));
  f->place = walk_flights_take(b, f->bodies, sizeof(int));
  for (int i = 0; i < f->bodies; i++) f->body[i].hit = -INFINITY;
  return true;
}

const char* walk_flights_build(walk_job* r, walk_flights** out)
{
  walk_flight_builder b = {.e = r->e, .pool = r->s->pool};
  base_kept_lock(r->s->kept);
  index_symbols(&b);
  b.f = walk_flights_take(&b, 1, sizeof *b.f);
  b.f->e = r->e;
  if (build(&b)) *out = b.f;
  free(b.draft);
  expr_index_free(b.places);
  expr_index_free(b.others);
  base_kept_unlock(r->s->kept);
  return b.why;
}

void walk_flights_free(walk_flights* f)
{
  if (f) base_list_free(&f->pieces);
}
