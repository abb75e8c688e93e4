// Boxes, hulls and capsules in space, event by event: which of their features may touch next
// (shape/feature.c), and in which place of the pair each stands (model/meeting_footing.c).
//
// A feature is told by its numbers, which are those of the shapes and stay the same while these
// move: they are the values of the params of its place. So what stands where is part of the state
// like any other param, and nothing else is remembered.
#include "contact/footing.h"
#include "shape/shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// a solid: its form; its place, velocity and angular velocity at the state looked at last
typedef struct solid
{
  bool used;
  const shape_form* form;
  shape_pose pose;
  double v[3], w[3];
} solid;

typedef struct footing
{
  const model_footing* own;
  const solid *A, *B;
  int* number; // of the inequality of each place
  int first;   // of its params among those that change
  double size; // of the smaller solid
} footing;

struct contact_footings
{
  int count;
  footing* pair;
  int solids;
  solid* solid;
  // numbers that change: the kernel puts them out, each to its place
  code_kernel* kernel;
  int outs;
  double** to;
  double *out, *scratch;
  shape_feature found[SHAPE_MOST_FEATURES];
  int *at, *stands; // work space: the place of each feature, and the feature in each place
};

// ---- what is made once --------------------------------------------------------------------------

static bool take_form(engine* e, const model_solid* x, solid* out, base_notes* notes)
{
  const shape_kind kind = x->kind == MODEL_SOLID_PLANE ? SHAPE_PLANE : SHAPE_HULL;
  double(*point)[3] = base_alloc(sizeof *point * (size_t)(x->points + 1));
  for (int i = 0; i < x->points; i++) engine_values(e, 3, x->point[i], point[i]);
  out->used = true;
  out->form = shape_form_new(e->arena, kind, x->flat, engine_value(e, x->radius),
                             engine_value(e, x->length), x->points, (const double(*)[3])point);
  free(point);
  if (!out->form)
    base_error(notes, x->place, "the corners of this %s make no body, or are more than %d",
               x->shape, SHAPE_MOST_POINTS);
  return out->form;
}

// of each solid p, R, v, omega: numbers at once, all else by the kernel
enum { numbers_of_solid = 18 };

static bool make_kernel(engine* e, contact_footings* f, base_notes* notes)
{
  const model* m = e->model;
  const int most = numbers_of_solid * f->solids;
  expr missing = EXPR_NONE, *list = engine_take(e, (size_t)most + 1, sizeof *list);
  f->to = engine_take(e, (size_t)most + 1, sizeof *f->to);
  int count = 0;
  for (int i = 0; i < f->solids; i++) {
    const model_solid* x = &m->solid[i];
    solid* s = &f->solid[i];
    const struct
    {
      int n;
      const expr* from;
      double* to;
    } part[] = {{3, x->p, s->pose.p}, {9, x->R, s->pose.R}, {3, x->v, s->v}, {3, x->w, s->w}};
    for (size_t k = 0; k < sizeof part / sizeof *part && s->used; k++)
      for (int j = 0; j < part[k].n; j++, count++) {
        list[count] = part[k].from[j];
        f->to[count] = &part[k].to[j];
      }
  }
  engine_numbers(e->program, count, list, list);
  for (int i = 0; i < count; i++) {
    if (expr_is_number(e->s->pool, list[i])) {
      *f->to[i] = expr_number(e->s->pool, list[i]);
      continue;
    }
    list[f->outs] = list[i];
    f->to[f->outs++] = f->to[i];
  }
  f->kernel =
      code_build(e->s->pool, f->outs, list, e->program->inputs, e->program->input, &missing);
  if (!f->kernel) {
    base_error(notes, BASE_NOWHERE, "the places of the shapes are too many to be computed");
    return false;
  }
  f->out = engine_doubles(e, f->outs + 1);
  f->scratch = engine_doubles(e, (int)code_scratch(f->kernel) + 1);
  return true;
}

static void release(void* thing)
{
  code_free(((contact_footings*)thing)->kernel);
}

static int number_of(const engine* e, int row)
{
  const contact_inequalities* u = e->unilateral;
  for (int i = 0; i < u->count; i++)
    if (u->of[i] == row) return i;
  return -1;
}

static int places_of(const footing* x)
{
  return x->own->across + x->own->around;
}

bool contact_footing_new(engine* e, contact_footings** out, base_notes* notes)
{
  const model* m = e->model;
  *out = NULL;
  if (!m->footings || e->program->is_part) return true;
  contact_footings* f = *out = engine_take(e, 1, sizeof *f);
  engine_attach(e, release, f);
  f->count = m->footings;
  f->pair = engine_take(e, (size_t)f->count, sizeof *f->pair);
  f->solids = m->solids;
  f->solid = engine_take(e, (size_t)m->solids + 1, sizeof *f->solid);
  int most = 0;
  for (int i = 0; i < f->count; i++) {
    const model_footing* own = &m->footing[i];
    footing* x = &f->pair[i];
    const int side[2] = {own->a, own->b};
    for (int k = 0; k < 2; k++)
      if (!f->solid[side[k]].used && !take_form(e, &m->solid[side[k]], &f->solid[side[k]], notes))
        return false;
    *x = (footing){.own = own, .A = &f->solid[own->a], .B = &f->solid[own->b]};
    x->size = fmin(x->A->form->reach, x->B->form->reach);
    while (e->program->changing[x->first] != own->param) x->first++;
    x->number = engine_take(e, (size_t)places_of(x), sizeof(int));
    for (int k = 0; k < places_of(x); k++) x->number[k] = number_of(e, own->row[k]);
    most = most > places_of(x) ? most : places_of(x);
  }
  f->at = engine_take(e, SHAPE_MOST_FEATURES, sizeof(int));
  f->stands = engine_take(e, (size_t)most, sizeof(int));
  return make_kernel(e, f, notes);
}

// ---- where they are -----------------------------------------------------------------------------

static void see(const engine* e, contact_footings* f)
{
  code_run(f->kernel, e->in, f->out, f->scratch);
  for (int i = 0; i < f->outs; i++) *f->to[i] = f->out[i];
}

// is it the same point of contact, or behind it along axis k?
static bool is_behind(const double at[3], const double n[3], const double other[3],
                      const double m[3], int k, double size)
{
  bool same = true;
  for (int i = 0; i < 3; i++) {
    same = same && fabs(n[i] - m[i]) <= engine_footing_same;
    same = same && (i == k || fabs(at[i] - other[i]) <= engine_footing_same * size);
  }
  return same;
}

// Where all moves in a plane across an axis, points behind each other along it are one: that in
// front stays.
static int in_front(contact_footings* f, const footing* x, int count)
{
  const int k = x->own->still;
  double(*at)[2][3] = base_alloc(sizeof *at * (size_t)(count + 1));
  int kept = 0;
  for (int i = 0, j; i < count; i++) {
    double n[3], there[3];
    shape_feature_look(&f->found[i], x->A->form, &x->A->pose, x->B->form, &x->B->pose, n, there);
    for (j = 0; j < kept && !is_behind(there, n, at[j][0], at[j][1], k, x->size); j++) {
    }
    if (j < kept && there[k] <= at[j][0][k]) continue;
    f->found[j] = f->found[i];
    memcpy(at[j][0], there, sizeof there);
    memcpy(at[j][1], n, sizeof n);
    kept = j < kept ? kept : kept + 1;
  }
  free(at);
  return kept;
}

// the features of a pair that may touch next
static int find(contact_footings* f, const footing* x, double* apart)
{
  const double near = engine_facing_near * x->size;
  const int count =
      shape_features(x->A->form, &x->A->pose, x->B->form, &x->B->pose, near, apart, f->found);
  return x->own->still >= 0 ? in_front(f, x, count) : count;
}

// ---- what stands where --------------------------------------------------------------------------

static const double* value_of(const engine* e, const footing* x, int place, double* value)
{
  for (int k = 0; k < SHAPE_FEATURE_NUMBERS; k++)
    value[k] = e->mode.ramp[x->first + SHAPE_FEATURE_NUMBERS * place + k].to;
  return value;
}

static bool is_present(const engine* e, const footing* x, int place)
{
  return e->unilateral->present[x->number[place]];
}

// features found and where they stand already (at, -1: nowhere yet) and what no longer does
// (stands, -1); true where these are not the same
static bool compare(const engine* e, contact_footings* f, const footing* x, int count)
{
  bool differs = false;
  for (int i = 0; i < count; i++) f->at[i] = -1;
  for (int p = 0; p < places_of(x); p++) {
    double value[SHAPE_FEATURE_NUMBERS];
    f->stands[p] = -1;
    value_of(e, x, p, value);
    for (int i = 0; i < count && is_present(e, x, p); i++) {
      if (f->found[i].around != (p >= x->own->across) || !shape_feature_is(&f->found[i], value))
        continue;
      f->at[i] = p;
      f->stands[p] = i;
    }
    differs = differs || (is_present(e, x, p) && f->stands[p] < 0);
  }
  for (int i = 0; i < count; i++) differs = differs || f->at[i] < 0;
  return differs;
}

// a place for a feature: one that was empty rather than one that is left just now; -1: there is
// none
static int free_place(const engine* e, const contact_footings* f, const footing* x,
                      const shape_feature* what)
{
  const int from = what->around ? x->own->across : 0,
            to = what->around ? places_of(x) : x->own->across;
  int found = -1;
  for (int p = from; p < to; p++) {
    if (f->stands[p] >= 0) continue;
    if (!is_present(e, x, p)) return p;
    if (found < 0) found = p;
  }
  return found;
}

static void put(engine* e, const footing* x, int place, const shape_feature* what)
{
  double number[SHAPE_FEATURE_NUMBERS];
  shape_feature_tell(what, number);
  for (int k = 0; k < SHAPE_FEATURE_NUMBERS; k++) {
    const int i = x->first + SHAPE_FEATURE_NUMBERS * place + k;
    e->mode.ramp[i] = (engine_ramp){.from = number[k], .to = number[k]};
    e->par[i] = number[k];
  }
}

static bool refuse(engine* e, const footing* x, int count)
{
  const model* m = e->model;
  snprintf(e->reason, sizeof e->reason,
           "the contact `%s`: `%s` and `%s` face each other with %d corners and edges, events take "
           "%d: time-stepping goes on (method moreau)",
           m->meeting[x->own->meeting].name, m->solid[x->own->a].name, m->solid[x->own->b].name,
           count, places_of(x));
  return false;
}

static bool settle(engine* e, contact_footings* f, const footing* x, int count, bool* changed)
{
  contact_inequalities* u = e->unilateral;
  for (int i = 0; i < count; i++) {
    if (f->at[i] >= 0) continue;
    const int p = f->at[i] = free_place(e, f, x, &f->found[i]);
    if (p < 0) return refuse(e, x, count);
    f->stands[p] = i;
    put(e, x, p, &f->found[i]);
    if (changed) changed[x->number[p]] = true;
  }
  for (int p = 0; p < places_of(x); p++) {
    const int i = x->number[p];
    if (changed && u->present[i] != (f->stands[p] >= 0)) changed[i] = true;
    u->present[i] = f->stands[p] >= 0;
  }
  return true;
}

bool contact_footing_changes(engine* e, contact_footings* f)
{
  double apart;
  if (!f) return false;
  see(e, f);
  for (int i = 0; i < f->count; i++)
    if (compare(e, f, &f->pair[i], find(f, &f->pair[i], &apart))) return true;
  return false;
}

int contact_footing_choose(engine* e, contact_footings* f, bool* changed, bool* any)
{
  double apart;
  if (!f) return 0;
  see(e, f);
  for (int i = 0; i < f->count; i++) {
    const footing* x = &f->pair[i];
    const int count = find(f, x, &apart);
    if (!compare(e, f, x, count)) continue;
    *any = true;
    if (!settle(e, f, x, count, changed)) return 1;
  }
  return 0;
}

// Bound of how fast points of both come near each other; and the way they may go, which is short
// against what changes what faces what, or that on which they stay far apart
double contact_footing_while(engine* e, contact_footings* f)
{
  double soonest = INFINITY;
  if (!f) return soonest;
  see(e, f);
  for (int i = 0; i < f->count; i++) {
    const footing* x = &f->pair[i];
    double between = 0, turning[2] = {0, 0}, apart;
    for (int k = 0; k < 3; k++) {
      between = hypot(between, x->A->v[k] - x->B->v[k]);
      turning[0] = hypot(turning[0], x->A->w[k]);
      turning[1] = hypot(turning[1], x->B->w[k]);
    }
    const double reach[2] = {x->A->form->reach, x->B->form->reach};
    double fastest = between;
    for (int k = 0; k < 2; k++) fastest += isfinite(reach[k]) ? reach[k] * turning[k] : 0;
    find(f, x, &apart);
    const double far = apart - engine_facing_near * x->size;
    soonest = fmin(soonest, fmax(engine_footing_way * x->size, far / 2) / fastest);
  }
  return soonest;
}

// of the pairs of one meeting; not a number where it has none
static double least_gap(contact_footings* f, int meeting)
{
  double least = NAN, apart;
  for (int i = 0; i < f->count; i++) {
    if (f->pair[i].own->meeting != meeting) continue;
    find(f, &f->pair[i], &apart);
    least = fmin(least, apart);
  }
  return least;
}

void contact_footing_tell(engine* e)
{
  contact_footings* f = e->unilateral ? contact_facing_footings(e) : NULL;
  const model* m = e->model;
  bool seen = false;
  for (int i = 0; i < m->tells && f; i++) {
    if (m->tell[i].which != MODEL_RESULT_GAP || m->tell[i].meeting < 0) continue;
    if (!seen) see(e, f);
    seen = true;
    e->told[i] = least_gap(f, m->tell[i].meeting);
  }
}
