// Which systems go by flights, and their bodies and gaps: all as numbers.
//
// Bodies are the coordinates that the masses couple; masses and forces must be constant, so that
// each body flies along a parabola. An inequality closes where a quadratic function of coordinates
// falls through zero: it is one itself, or a constant less than a root of one, as a distance is.
#include "walk/flights.h"

#include "contact/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// slopes by the coordinates, and the slopes of these
typedef struct quadratic
{
  bool is_one;
  int n, coord[2 * WALK_FLIGHT_COORDS];
  expr slope[2 * WALK_FLIGHT_COORDS];
  expr bend[2 * WALK_FLIGHT_COORDS][2 * WALK_FLIGHT_COORDS];
} quadratic;

// An inequality on its way: sense f >= 0 as its quadratic, and the numbers it is read from, which
// are found all at once.
typedef struct draft
{
  quadratic x;
  bool root; // f = fixed + rest, and it is the square of the rest that is quadratic
  expr fixed, rest, square;
} draft;
typedef struct builder
{
  engine* e;
  expr_pool* pool;
  expr_index *places, *others; // symbols of coordinates; of all else that may change
  int* body_of;                // coordinate -> body
  draft* draft;                // of the gaps
  walk_flights* f;
  const char* why;
} builder;

static void* take(builder* b, int count, size_t size)
{
  return base_arena_take(b->e->arena, (size_t)(count + 1) * size);
}

static bool refuse(builder* b, const char* why)
{
  if (!b->why) b->why = why;
  return false;
}

static bool is_constant(const builder* b, expr x)
{
  return !expr_index_any(b->pool, b->places, x) && !expr_index_any(b->pool, b->others, x);
}

static void index_symbols(builder* b)
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

// ---- what it takes ------------------------------------------------------------------------------

static bool takes_model(builder* b)
{
  const engine* e = b->e;
  const model* m = e->model;
  if (m->events || m->stages) return refuse(b, "it has events or stages");
  if (m->contacts) return refuse(b, "it has contacts of surfaces that roll or slide");
  if (e->program->modes.count) return refuse(b, "its forces have corners or jumps");
  if (!is_constant(b, b->e->s->power)) return refuse(b, "its forces do work of their own");
  for (int k = 0; k < e->m; k++) {
    const model_constraint* c = &m->constraint[k];
    if (!c->sense || c->order) return refuse(b, "it has constraints that are no gaps of places");
    if (c->friction != EXPR_NONE) return refuse(b, "its contacts have friction");
    if (e->mode.active[k]) return refuse(b, "a contact is closed at the start");
    if (c->restitution != EXPR_NONE && !is_constant(b, c->restitution))
      return refuse(b, "a restitution changes");
    if (c->impact != MODEL_NEWTON && c->impact != MODEL_SEQUENTIAL)
      return refuse(b, "a law of impact is neither Newton's nor one impact after the other");
  }
  return true;
}

// ---- bodies -------------------------------------------------------------------------------------

// one entry of M, by its number in whatever form it is kept; false behind the last
static bool mass_entry(const mech_system* s, int at, int* i, int* j, expr* x)
{
  const mech_rows* M = &s->M_rows;
  if (!M->start) {
    if (at >= s->n * s->n) return false;
    *i = at / s->n;
    *j = at % s->n;
    *x = s->M[at];
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

static void join(int* leader, int i, int j)
{
  const int p = leader_of(leader, i), q = leader_of(leader, j);
  leader[p > q ? p : q] = p > q ? q : p;
}

// coordinates that the masses couple
static bool join_by_masses(builder* b)
{
  const mech_system* s = b->e->s;
  int* leader = b->body_of = take(b, s->n, sizeof(int));
  int i, j;
  expr x;
  for (i = 0; i < s->n; i++) leader[i] = i;
  for (int at = 0; mass_entry(s, at, &i, &j, &x); at++) {
    if (x == expr_int(b->pool, 0)) continue;
    if (!is_constant(b, x)) return refuse(b, "its masses change with the motion");
    join(leader, i, j);
  }
  for (i = 0; i < s->n; i++)
    if (!is_constant(b, s->F[i])) return refuse(b, "its forces change with the motion");
  return true;
}

// Coordinates that occur in the same gaps, of those that hold several, are one body: x and y of a
// disc. Each has the sum of numbers drawn for these gaps; should two sums be alike by chance, the
// body is larger than need be, and its motion the same.
static void join_by_gaps(builder* b)
{
  const int n = b->e->n;
  uint64_t* sum = base_alloc(sizeof *sum * (size_t)(n + 1));
  for (int k = 0; k < b->f->gaps; k++) {
    const quadratic* x = &b->draft[k].x;
    uint64_t drawn = ((uint64_t)k + 1) * 0x9e3779b97f4a7c15u;
    drawn = (drawn ^ drawn >> 29) * 0xbf58476d1ce4e5b9u;
    for (int i = 0; i < x->n && x->n > 1; i++) sum[x->coord[i]] += drawn ^ drawn >> 32;
  }
  // of one gap, neighbours in it
  for (int k = 0; k < b->f->gaps; k++) {
    const quadratic* x = &b->draft[k].x;
    for (int i = 0; i < x->n; i++)
      for (int j = 0; j < i; j++)
        if (sum[x->coord[i]] == sum[x->coord[j]]) join(b->body_of, x->coord[i], x->coord[j]);
  }
  free(sum);
}

static bool number_bodies(builder* b)
{
  const int n = b->e->n;
  walk_flights* f = b->f;
  int* number = base_alloc(sizeof(int) * (size_t)(n + 1));
  bool fits = true;
  f->body = take(b, n, sizeof *f->body);
  for (int i = 0; i < n && fits; i++) {
    const int first = leader_of(b->body_of, i);
    number[i] = first == i ? f->bodies++ : number[first];
    walk_flight_body* at = &f->body[number[i]];
    fits = at->n < WALK_FLIGHT_COORDS;
    if (fits) at->coord[at->n++] = i;
  }
  memcpy(b->body_of, number, sizeof(int) * (size_t)n);
  free(number);
  return fits || refuse(b, "a body has too many coordinates");
}

static int place_in(const walk_flight_body* body, int coord)
{
  int k = 0;
  while (body->coord[k] != coord) k++;
  return k;
}

// inverse masses and accelerations
static bool weigh_bodies(builder* b)
{
  const mech_system* s = b->e->s;
  enum { most = WALK_FLIGHT_COORDS };
  int i, j;
  expr x;
  expr* list =
      base_alloc(sizeof(expr) * (size_t)(s->n + (s->M_rows.start ? s->M_rows.count : s->n * s->n)));
  memcpy(list, s->F, sizeof(expr) * (size_t)s->n);
  int count = s->n;
  for (int at = 0; mass_entry(s, at, &i, &j, &x); at++) list[count++] = x;
  double* value = base_alloc(sizeof(double) * (size_t)(count + 1));
  engine_values(b->e, count, list, value);
  for (int at = 0; mass_entry(s, at, &i, &j, &x); at++) {
    walk_flight_body* body = &b->f->body[b->body_of[i]];
    if (x == expr_int(b->pool, 0)) continue;
    const int p = place_in(body, i), q = place_in(body, j);
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
  return fine || refuse(b, "a coordinate has no inertia");
}

// ---- gaps ---------------------------------------------------------------------------------------

// x = fixed + the rest, by whether a term holds a coordinate
static void split(builder* b, expr x, expr* fixed, expr* rest)
{
  *fixed = *rest = expr_int(b->pool, 0);
  const bool sum = expr_kind_of(b->pool, x) == EXPR_SUM;
  for (int i = 0; i < (sum ? expr_arg_count(b->pool, x) : 1); i++) {
    const expr term = sum ? expr_arg(b->pool, x, i) : x;
    expr* to = expr_index_any(b->pool, b->places, term) ? rest : fixed;
    *to = expr_add(b->pool, *to, term);
  }
}

static void look_at(builder* b, expr x, quadratic* out)
{
  const expr* symbol = b->e->program->input + 1;
  enum { most = 2 * WALK_FLIGHT_COORDS };
  expr_slope_list list = {0}, second = {0};
  expr_slopes(b->pool, b->places, symbol, x, &list);
  out->is_one = list.n <= most;
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
      out->is_one = j < out->n && bend != EXPR_NONE && is_constant(b, bend);
      if (out->is_one) out->bend[i][j] = bend;
    }
  }
  base_list_free(&list);
  base_list_free(&second);
}

// the bodies whose coordinates it holds, at most two
static bool find_partners(builder* b, const quadratic* x, walk_flight_gap* g)
{
  g->body[0] = g->body[1] = WALK_FLIGHT_NOBODY;
  for (int i = 0; i < x->n; i++) {
    const int body = b->body_of[x->coord[i]];
    if (g->body[0] == body || g->body[1] == body) continue;
    const int at = g->body[0] == WALK_FLIGHT_NOBODY ? 0 : 1;
    if (g->body[at] != WALK_FLIGHT_NOBODY) return refuse(b, "a gap is one of three bodies");
    g->body[at] = body;
  }
  for (int k = 0; k < 2 && g->body[k] >= 0; k++) g->n += b->f->body[g->body[k]].n;
  return g->body[0] >= 0 || refuse(b, "a gap holds no coordinate");
}

// where a coordinate stands in the gap
static int place_of(const builder* b, const walk_flight_gap* g, int coord)
{
  const int first = b->body_of[coord] == g->body[0] ? 0 : b->f->body[g->body[0]].n;
  return first + place_in(&b->f->body[b->body_of[coord]], coord);
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

typedef BASE_LIST(expr) expr_list;

static bool sketch(builder* b, int k, draft* d)
{
  const expr f0 = b->e->s->f0[k];
  if (expr_index_any(b->pool, b->others, f0)) return refuse(b, "a gap changes by itself");
  split(b, f0, &d->fixed, &d->rest);
  d->square = f0;
  look_at(b, f0, &d->x);
  d->root = !d->x.is_one;
  if (!d->root) return true;
  d->square = expr_mul(b->pool, d->rest, d->rest);
  look_at(b, d->square, &d->x);
  return d->x.is_one || refuse(b, "a gap is neither quadratic nor a distance");
}

// what is read at the origin: value, slopes, bends
static void list_numbers(const draft* d, expr_list* list)
{
  base_push(list, d->square);
  for (int i = 0; i < d->x.n; i++) base_push(list, d->x.slope[i]);
  for (int i = 0; i < d->x.n; i++)
    for (int j = 0; j < d->x.n; j++) base_push(list, d->x.bend[i][j]);
}

// Sense times (fixed + rest) >= 0, where the rest is a root and keeps its sign: |rest| is to be
// more, or less, than some length.
static bool place_limit(builder* b, int sense, double fixed, double rest, walk_flight_gap* g,
                        double* sign)
{
  const double side = rest < 0 ? -sense : sense, length = -side * sense * fixed;
  if (!(length > 0) || rest == 0) return refuse(b, "a distance is compared with none");
  *sign = side;
  g->c = -side * length * length;
  return true;
}

// at: the values listed, at the origin; here: fixed and rest where the engine stands
static bool fill(builder* b, const draft* d, int sense, const double* at, const double* here,
                 walk_flight_gap* g)
{
  const quadratic* x = &d->x;
  double Q[2 * WALK_FLIGHT_COORDS][2 * WALK_FLIGHT_COORDS] = {{0}}, sign = sense;
  if (!find_partners(b, x, g)) return false;
  if (d->root && !place_limit(b, sense, here[0], here[1], g, &sign)) return false;
  g->c += sign * *at++;
  for (int i = 0; i < x->n; i++) g->G[place_of(b, g, x->coord[i])] = sign * *at++;
  for (int i = 0; i < x->n; i++)
    for (int j = 0; j < x->n; j++)
      Q[place_of(b, g, x->coord[i])][place_of(b, g, x->coord[j])] = sign * *at++;
  return take_squares(g, Q) || refuse(b, "a gap is no sum of squares");
}

// values of a list with all coordinates at zero
static double* values_at_origin(builder* b, const expr_list* list)
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

static bool fill_all(builder* b, const expr_list* list, const expr_list* placed)
{
  const model* m = b->e->model;
  double *value = values_at_origin(b, list), *at = value;
  double* here = base_alloc(sizeof(double) * (size_t)(placed->n + 1));
  engine_values(b->e, placed->n, placed->at, here);
  bool fine = true;
  for (int k = 0; k < b->f->gaps && fine; k++) {
    const model_constraint* c = &m->constraint[k];
    const draft* d = &b->draft[k];
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

static bool sketch_gaps(builder* b)
{
  b->f->gaps = b->e->m;
  b->draft = base_alloc(sizeof *b->draft * (size_t)(b->f->gaps + 1));
  for (int k = 0; k < b->f->gaps; k++)
    if (!sketch(b, k, &b->draft[k])) return false;
  return true;
}

static bool find_gaps(builder* b)
{
  const model* m = b->e->model;
  walk_flights* f = b->f;
  expr_list list = {0}, placed = {0};
  f->gap = take(b, f->gaps, sizeof *f->gap);
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

// the gaps that each body has a part in
static void share_gaps(builder* b)
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
      f->body[i].gap = take(b, f->body[i].gaps, sizeof(int));
  }
}

// ---- all of it ----------------------------------------------------------------------------------

static bool build(builder* b)
{
  walk_flights* f = b->f;
  if (!takes_model(b) || !sketch_gaps(b) || !join_by_masses(b)) return false;
  join_by_gaps(b);
  if (!number_bodies(b) || !weigh_bodies(b) || !find_gaps(b)) return false;
  share_gaps(b);
  walk_flights_find_centres(f, b->e->arena);
  f->heap = take(b, f->bodies, sizeof(int));
  f->place = take(b, f->bodies, sizeof(int));
  for (int i = 0; i < f->bodies; i++) f->body[i].hit = -INFINITY;
  return true;
}

const char* walk_flights_build(walk_job* r, walk_flights** out)
{
  builder b = {.e = r->e, .pool = r->s->pool};
  base_kept_lock(r->s->kept);
  index_symbols(&b);
  b.f = take(&b, 1, sizeof *b.f);
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
