// What is made once of the solids of a model: their forms as numbers, and one kernel for places,
// axes, and derivatives of velocities.
#include "contact/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef BASE_LIST(expr) expr_list;
typedef BASE_LIST(double*) place_list;

typedef struct builder
{
  contact_shapes* s;
  engine* e;
  base_notes* notes;
  expr_list list; // what is evaluated, and where it goes
  place_list to;
  expr_list rest; // the same of velocities, where all speeds are none
  place_list rest_to;
  expr* speed; // of all coordinates
  expr_index* index;
  int law_room; // of the laws of friction
} builder;

static void* take(engine* e, int count, size_t size)
{
  return base_arena_take(e->arena, (size_t)(count + 1) * size);
}

static void put(builder* b, expr x, double* to)
{
  base_push(&b->list, x);
  base_push(&b->to, to);
}

// ---- forms --------------------------------------------------------------------------------------

static bool are_alike(const model_solid* a, const model_solid* b)
{
  return a->place.file == b->place.file && a->place.from == b->place.from && a->point == b->point;
}

static const shape_form* form_of(builder* b, const model_solid* x)
{
  static const shape_kind kinds[] = {[MODEL_SOLID_HULL] = SHAPE_HULL,
                                     [MODEL_SOLID_PLANE] = SHAPE_PLANE,
                                     [MODEL_SOLID_CYLINDER] = SHAPE_CYLINDER};
  engine* e = b->e;
  double(*point)[3] = base_alloc(sizeof *point * (size_t)(x->points + 1));
  for (int i = 0; i < x->points; i++) engine_values(e, 3, x->point[i], point[i]);
  const double radius = engine_value(e, x->radius), length = engine_value(e, x->length);
  const shape_form* f = shape_form_new(e->arena, kinds[x->kind], x->flat, radius, length, x->points,
                                       (const double(*)[3])point);
  free(point);
  if (!f)
    base_error(b->notes, x->place, "the corners of this %s make no body, or are more than %d",
               x->shape, SHAPE_MOST_POINTS);
  return f;
}

// ---- velocities ---------------------------------------------------------------------------------

// the axes of the world along which it never moves and about which alone it turns, as bits
static int still_axes(builder* b, const model_solid* x)
{
  int still = 0;
  for (int k = 0; k < 3; k++) {
    bool stays = !expr_index_any(b->e->s->pool, b->index, x->v[k]);
    for (int i = 0; i < 3; i++)
      stays = stays && (i == k || !expr_index_any(b->e->s->pool, b->index, x->w[i]));
    still |= stays << k;
  }
  return still;
}

static int find_column(const expr_numbers* columns, int number)
{
  for (int c = 0; c < columns->n; c++)
    if (columns->at[c] == number) return c;
  return -1;
}

static void add_velocity(builder* b, const model_solid* x, contact_solid* out)
{
  expr_pool* p = b->e->s->pool;
  expr_numbers columns = {0};
  expr_slope_list slope[6] = {{0}};
  for (int k = 0; k < 6; k++) {
    const expr f = k < 3 ? x->v[k] : x->w[k - 3];
    expr_slopes(p, b->index, b->speed, f, &slope[k]);
    for (int i = 0; i < slope[k].n; i++)
      if (find_column(&columns, slope[k].at[i].number) < 0)
        base_push(&columns, slope[k].at[i].number);
  }
  out->columns = columns.n;
  out->column = take(b->e, columns.n, sizeof(int));
  out->J = take(b->e, 6 * columns.n, sizeof(double));
  if (columns.n) memcpy(out->column, columns.at, sizeof(int) * (size_t)columns.n);
  for (int k = 0; k < 6; k++) {
    for (int i = 0; i < slope[k].n; i++) {
      const int c = find_column(&columns, slope[k].at[i].number);
      put(b, slope[k].at[i].value, &out->J[6 * c + k]);
    }
    base_push(&b->rest, k < 3 ? x->v[k] : x->w[k - 3]);
    base_push(&b->rest_to, k < 3 ? &out->v0[k] : &out->w0[k - 3]);
    base_list_free(&slope[k]);
  }
  base_list_free(&columns);
}

// like: one of the same shape, with its form; null: there is none
static bool add_solid(builder* b, const model_solid* x, int meeting, const shape_form* like,
                      contact_solid* out)
{
  *out = (contact_solid){.meeting = meeting, .fixed = x->fixed};
  out->form = like ? like : form_of(b, x);
  if (!out->form) return false;
  for (int k = 0; k < 3; k++) put(b, x->p[k], &out->pose.p[k]);
  // a ball is the same in all axes
  const bool round = out->form->kind == SHAPE_HULL && out->form->points == 1 &&
                     out->form->reach == out->form->radius;
  for (int k = 0; k < 9; k++) {
    out->pose.R[k] = k % 4 == 0;
    if (!round) put(b, x->R[k], &out->pose.R[k]);
  }
  add_velocity(b, x, out);
  out->still = still_axes(b, x);
  return true;
}

// ---- pairs that nobody can find -----------------------------------------------------------------

static bool all_meet(builder* b, const contact_meeting* m, const model_meeting* x)
{
  const contact_shapes* s = b->s;
  // one of each form is enough
  for (int i = m->first; i < m->first + m->count; i++) {
    const model_solid* one = &b->e->model->solid[x->solid[i - m->first]];
    for (int j = i + 1; j < m->first + m->count; j++) {
      const contact_solid *A = &s->solid[i], *B = &s->solid[j];
      if ((A->fixed && B->fixed) || shape_meets(A->form, B->form)) continue;
      base_error(b->notes, one->place, "where a %s touches a %s is not found yet", one->shape,
                 b->e->model->solid[x->solid[j - m->first]].shape);
      return false;
    }
    while (i + 1 < m->first + m->count &&
           are_alike(one, &b->e->model->solid[x->solid[i + 1 - m->first]]))
      i++;
  }
  return true;
}

static bool flat_ones_stay(builder* b, const model_meeting* x)
{
  for (int i = 0; i < x->solids; i++) {
    const model_solid* one = &b->e->model->solid[x->solid[i]];
    if (!one->flat || still_axes(b, one)) continue;
    base_error(b->notes, one->place, "a %s is a shape in the plane, `%s` moves in space",
               one->shape, one->name);
    return false;
  }
  return true;
}

// friction that depends on the slip of each of its points
static bool add_law(builder* b, const model_meeting* x, contact_meeting* m)
{
  engine* e = b->e;
  const engine_program* program = e->program;
  const expr slip = model_own_slip(e->s->pool, e->arena, x->name);
  if (x->friction == EXPR_NONE) return true;
  if (!expr_has(e->s->pool, x->friction, slip)) {
    put(b, x->friction, &m->mu);
    return true;
  }
  const int inputs = program->inputs + 1;
  expr mu = x->friction, missing = EXPR_NONE, *input = take(e, inputs, sizeof(expr));
  memcpy(input, program->input, sizeof(expr) * (size_t)program->inputs);
  input[program->inputs] = slip;
  engine_numbers(program, 1, &mu, &mu);
  m->law = code_build(e->s->pool, 1, &mu, inputs, input, &missing);
  if (!m->law) {
    base_error(b->notes, x->place, "the friction of `%s` is too long to be computed", x->name);
    return false;
  }
  b->s->law_in = take(e, inputs, sizeof(double));
  if ((int)code_scratch(m->law) > b->law_room) {
    b->law_room = (int)code_scratch(m->law);
    b->s->law_scratch = take(e, b->law_room, sizeof(double));
  }
  return true;
}

static bool add_meeting(builder* b, const model_meeting* x)
{
  contact_shapes* s = b->s;
  contact_meeting* m = &s->meeting[s->meetings];
  *m = (contact_meeting){
      .first = s->solids, .count = x->solids, .of = (int)(x - b->e->model->meeting)};
  if (x->impact != MODEL_NEWTON && x->impact != MODEL_MOREAU) {
    base_error(b->notes, x->place,
               "the contacts of `%s` are found in steps of time, which have Newton's law of impact",
               x->name);
    base_help(
        b->notes,
        "leave the law of impact away; boxes, hulls, capsules, flat and round shapes that are "
        "few are decided event by event, by every law, where the model says so: method "
        "dop853");
    return false;
  }
  if (!flat_ones_stay(b, x)) return false;
  for (int i = 0; i < x->solids; i++) {
    const model_solid* one = &b->e->model->solid[x->solid[i]];
    const bool again = i && are_alike(one, &b->e->model->solid[x->solid[i - 1]]);
    const shape_form* like = again ? s->solid[s->solids - 1].form : NULL;
    if (!add_solid(b, one, s->meetings, like, &s->solid[s->solids++])) return false;
  }
  if (!add_law(b, x, m)) return false;
  if (x->restitution != EXPR_NONE) put(b, x->restitution, &m->restitution);
  if (x->rolling != EXPR_NONE) put(b, x->rolling, &m->rolling);
  if (x->pivoting != EXPR_NONE) put(b, x->pivoting, &m->pivoting);
  s->meetings++;
  return all_meet(b, m, x);
}

// ---- the whole ----------------------------------------------------------------------------------

static void release(void* thing)
{
  contact_shapes* s = thing;
  code_free(s->kernel);
  for (int i = 0; i < s->meetings; i++) code_free(s->meeting[i].law);
  shape_sweep_free(s->sweep);
  base_list_free(&s->pairs);
  base_list_free(&s->record);
  free(s->to);
  free(s);
}

// what moves by time alone is the velocity while the coordinates have none
static void add_rest(builder* b)
{
  const int n = b->e->model->coords;
  expr* zero = take(b->e, n, sizeof(expr));
  for (int i = 0; i < n; i++) zero[i] = expr_int(b->e->s->pool, 0);
  expr_substitute_all(b->e->s->pool, b->rest.n, b->rest.at, n, b->speed, zero, b->rest.at);
  for (int i = 0; i < b->rest.n; i++) put(b, b->rest.at[i], b->rest_to.at[i]);
}

// numbers at once, all else by the kernel
static bool make_kernel(builder* b)
{
  contact_shapes* s = b->s;
  engine* e = b->e;
  const engine_program* program = e->program;
  expr missing = EXPR_NONE;
  add_rest(b);
  expr_substitute_all(e->s->pool, b->list.n, b->list.at, program->fixed, program->fixed_from,
                      program->fixed_to, b->list.at);
  s->to = base_alloc(sizeof *s->to * (size_t)(b->list.n + 1));
  for (int i = 0; i < b->list.n; i++) {
    const expr x = b->list.at[i];
    if (expr_is_number(e->s->pool, x)) {
      *b->to.at[i] = expr_number(e->s->pool, x);
      continue;
    }
    b->list.at[s->outs] = x;
    s->to[s->outs++] = b->to.at[i];
  }
  if (!s->outs) return true;
  s->kernel =
      code_build(e->s->pool, s->outs, b->list.at, program->inputs, program->input, &missing);
  if (!s->kernel) {
    base_error(b->notes, BASE_NOWHERE, "the places of the shapes are too many to be computed");
    return false;
  }
  s->out = take(e, s->outs, sizeof(double));
  s->scratch = take(e, (int)code_scratch(s->kernel), sizeof(double));
  return true;
}

contact_shapes* contact_shapes_new(engine* e, base_notes* notes)
{
  const model* m = e->model;
  int meetings = 0, solids = 0;
  for (int i = 0; i < m->meetings; i++) {
    meetings += m->meeting[i].looked_for;
    solids += m->meeting[i].looked_for ? m->meeting[i].solids : 0;
  }
  if (!meetings) return NULL;
  contact_shapes* s = base_alloc(sizeof *s);
  engine_attach(e, release, s);
  s->e = e;
  s->solid = take(e, solids, sizeof *s->solid);
  s->meeting = take(e, meetings, sizeof *s->meeting);
  s->box = take(e, 6 * solids, sizeof(double));
  s->boxed = take(e, solids, sizeof(int));
  s->sweep = shape_sweep_new(solids);
  builder b = {.s = s, .e = e, .notes = notes, .speed = take(e, m->coords, sizeof(expr))};
  for (int i = 0; i < m->coords; i++) b.speed[i] = m->coord[i].v;
  b.index = expr_index_new(m->coords, b.speed);
  bool fine = true;
  for (int i = 0; i < m->meetings && fine; i++)
    if (m->meeting[i].looked_for) fine = add_meeting(&b, &m->meeting[i]);
  fine = fine && make_kernel(&b);
  base_list_free(&b.list);
  base_list_free(&b.to);
  base_list_free(&b.rest);
  base_list_free(&b.rest_to);
  expr_index_free(b.index);
  return fine ? s : NULL;
}
