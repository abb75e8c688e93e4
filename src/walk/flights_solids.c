// Shapes that meet, as bodies in flight: round ones by their centres and radii, against each other
// and against fixed ones.
#include "walk/flights_build.h"

#include "engine/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// what is read of a solid: its place, the normal of a plane, its radius; then the slopes of its
// place
enum { of_place = 0, of_normal = 3, of_radius = 6, of_slopes = 7 };

static bool is_round(const walk_flight_builder* b, const model_solid* x)
{
  bool round = x->kind == MODEL_SOLID_HULL && x->points == 1;
  for (int k = 0; k < 3 && round; k++) round = x->point[0][k] == expr_int(b->pool, 0);
  return round;
}

static bool is_plane(const model_solid* x)
{
  return x->kind == MODEL_SOLID_PLANE && x->fixed;
}

// ---- as expressions -----------------------------------------------------------------------------

// The coordinates of a round solid are those of one body, and move it along straight lines.
static bool sketch(walk_flight_builder* b, const model_solid* x)
{
  if (is_plane(x)) return true;
  if (!is_round(b, x)) return walk_flights_refuse(b, "shapes that meet are not all round");
  int first = -1;
  for (int k = 0; k < 3; k++) {
    walk_flight_quadratic s;
    if (expr_index_any(b->pool, b->others, x->p[k]))
      return walk_flights_refuse(b, "a shape moves by itself");
    walk_flights_look_at(b, x->p[k], &s);
    bool straight = s.is_one;
    for (int i = 0; i < s.n; i++) {
      straight = straight && walk_flights_is_constant(b, s.slope[i]);
      if (first < 0) first = s.coord[i];
      walk_flights_join(b, first, s.coord[i]);
    }
    if (!straight) return walk_flights_refuse(b, "a shape does not move along its coordinates");
  }
  return true;
}

static bool sketch_meeting(walk_flight_builder* b, const model_meeting* x)
{
  const model* m = b->e->model;
  int moving = 0;
  if (b->f->families++ == WALK_FLIGHT_FAMILIES)
    return walk_flights_refuse(b, "too many statements let shapes meet");
  if (x->friction != EXPR_NONE || x->rolling != EXPR_NONE || x->pivoting != EXPR_NONE)
    return walk_flights_refuse(b, "its contacts have friction");
  if (x->impact != MODEL_NEWTON && x->impact != MODEL_SEQUENTIAL)
    return walk_flights_refuse(b, "a law of impact is neither Newton's nor one after the other");
  for (int i = 0; i < x->solids; i++) {
    if (!sketch(b, &m->solid[x->solid[i]])) return false;
    moving += !m->solid[x->solid[i]].fixed;
  }
  b->f->more_gaps += moving * (x->solids - moving);
  return true;
}

bool walk_flights_sketch_solids(walk_flight_builder* b)
{
  const model* m = b->e->model;
  for (int i = 0; i < m->meetings; i++)
    if (m->meeting[i].looked_for && !sketch_meeting(b, &m->meeting[i])) return false;
  return true;
}

// ---- as numbers ---------------------------------------------------------------------------------

static void list_numbers(walk_flight_builder* b, const model_solid* x, walk_flight_exprs* list)
{
  const expr zero = expr_int(b->pool, 0);
  const int column = x->flat ? 1 : 2; // y or z of its own axes
  for (int k = 0; k < 3; k++) base_push(list, x->p[k]);
  for (int k = 0; k < 3; k++) base_push(list, is_plane(x) ? x->R[3 * k + column] : zero);
  base_push(list, is_plane(x) ? zero : x->radius);
  for (int k = 0; k < 3 && !x->fixed; k++) {
    walk_flight_quadratic s;
    walk_flights_look_at(b, x->p[k], &s);
    for (int i = 0; i < s.n; i++) base_push(list, s.slope[i]);
  }
}

// the body of a round solid that moves, with its centre
static bool fill_centre(walk_flight_builder* b, const model_solid* x, int family, const double* at,
                        int* body)
{
  walk_flight_quadratic s[3];
  *body = -1;
  for (int k = 0; k < 3; k++) {
    walk_flights_look_at(b, x->p[k], &s[k]);
    if (s[k].n) *body = b->body_of[s[k].coord[0]];
  }
  walk_flight_body* to = &b->f->body[*body];
  double centre[WALK_FLIGHT_AXES][WALK_FLIGHT_COORDS] = {{0}};
  const double* slope = at + of_slopes;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < s[k].n; i++) centre[k][walk_flights_place_in(to, s[k].coord[i])] = *slope++;
  const bool same =
      !to->centred || (!memcmp(to->centre, centre, sizeof centre) &&
                       !memcmp(to->offset, at, sizeof to->offset) && to->radius == at[of_radius]);
  if (!same) return walk_flights_refuse(b, "a body has several shapes");
  memcpy(to->centre, centre, sizeof centre);
  memcpy(to->offset, at + of_place, sizeof to->offset);
  to->radius = at[of_radius];
  to->families |= (uint64_t)1 << family;
  to->centred = true;
  return true;
}

// the gap between a round body and a fixed plane, or a fixed round one
static void add_wall(walk_flight_builder* b, const walk_flight_family* family, int body,
                     const model_solid* x, const double* at)
{
  walk_flights* f = b->f;
  const walk_flight_body* own = &f->body[body];
  walk_flight_gap* g = &f->gap[f->gaps++];
  *g = (walk_flight_gap){.body = {body, WALK_FLIGHT_NOBODY},
                         .n = own->n,
                         .restitution = family->restitution,
                         .sequential = family->sequential,
                         .name = family->name};
  if (is_plane(x)) {
    g->c = -own->radius;
    for (int k = 0; k < 3; k++) {
      g->c += at[of_normal + k] * (own->offset[k] - at[of_place + k]);
      for (int i = 0; i < g->n; i++) g->G[i] += at[of_normal + k] * own->centre[k][i];
    }
    return;
  }
  const double reach = own->radius + at[of_radius];
  g->squares = 3;
  g->c = -reach * reach;
  for (int k = 0; k < 3; k++) {
    g->D[k] = 2;
    g->shift[k] = own->offset[k] - at[of_place + k];
    memcpy(g->row[k], own->centre[k], sizeof own->centre[k]);
  }
}

static bool fill_meeting(walk_flight_builder* b, const model_meeting* x, int number)
{
  const model* m = b->e->model;
  walk_flight_family* family = &b->f->family[number];
  walk_flight_exprs list = {0};
  int* first = base_alloc(sizeof(int) * (size_t)(2 * x->solids + 1));
  int* body = first + x->solids;
  base_push(&list, x->restitution == EXPR_NONE ? expr_int(b->pool, 0) : x->restitution);
  for (int i = 0; i < x->solids; i++) {
    first[i] = list.n;
    list_numbers(b, &m->solid[x->solid[i]], &list);
  }
  double* value = walk_flights_values(b, &list);
  *family = (walk_flight_family){x->name, value[0], x->impact == MODEL_SEQUENTIAL};
  bool fine = true;
  for (int i = 0; i < x->solids && fine; i++)
    if (!m->solid[x->solid[i]].fixed)
      fine = fill_centre(b, &m->solid[x->solid[i]], number, value + first[i], &body[i]);
  for (int i = 0; i < x->solids && fine; i++)
    for (int j = 0; j < x->solids; j++)
      if (!m->solid[x->solid[i]].fixed && m->solid[x->solid[j]].fixed)
        add_wall(b, family, body[i], &m->solid[x->solid[j]], value + first[j]);
  free(value);
  free(first);
  base_list_free(&list);
  return fine;
}

bool walk_flights_fill_solids(walk_flight_builder* b)
{
  const model* m = b->e->model;
  int number = 0;
  for (int i = 0; i < m->meetings; i++)
    if (m->meeting[i].looked_for && !fill_meeting(b, &m->meeting[i], number++)) return false;
  return true;
}
