// Parts of the scene for the page: what each is, and its channels.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/json_text.h"

static const char* const kinds[] = {
    "point",   "particle", "body",  "rod",     "plate",  "disc",   "ball",   "box",    "link",
    "surface", "frame",    "trace", "contact", "force",  "string", "spring", "damper", "ground",
    "round",   "spokes",   "hinge", "blade",   "centre", "curve",  "tube",   "wire"};

typedef struct parts
{
  const model* m;
  const model_scene* s;
  const walk_table* seen;
  out_pack* pack;
} parts;

static double first(const parts* x, int column)
{
  return x->seen->rows ? x->seen->value[column] : NAN;
}

// ---- a body of which the inertia is known -------------------------------------------------------

// does it turn about its own z, along the world's, and no other way?
static bool turns_in_plane(const parts* x, int part)
{
  static const int zero[4] = {2, 5, 6, 7};
  for (int i = 0; i < x->seen->rows; i++)
    for (int k = 0; k < 4; k++) {
      const double R = x->seen->value[(size_t)i * (size_t)x->seen->width +
                                      (size_t)out_seen_part(part, OUT_SEEN_TURN + zero[k])];
      if (!(fabs(R) < 1e-9)) return false;
    }
  return true;
}

static void set_edges(json_t* j, const double edge[3], const double q[4], int round)
{
  out_json_set(j, "edges", out_json_reals(3, edge));
  out_json_set(j, "principal", out_json_reals(4, q));
  out_json_set(j, "round", json_integer(round));
}

// is there a hinge that it turns about, in its middle, and not what it carries?
static bool turns_about_itself(const parts* x, int part)
{
  const model_part* body = &x->s->part[part];
  for (int i = 0; i < x->s->parts; i++) {
    const model_part* p = &x->s->part[i];
    if (p->kind == MODEL_PART_HINGE && memcmp(p->at, body->at, sizeof p->at) == 0 &&
        (p->fixed || strcmp(p->name, body->carrier) == 0))
      return true;
  }
  return false;
}

// whatever moves
static bool never_turns(const parts* x, int part)
{
  for (int k = 0; k < 9; k++)
    for (int i = 0; i < x->m->coords; i++)
      if (expr_has(x->m->pool, x->s->part[part].rotation[k], x->m->coord[i].q)) return false;
  return true;
}

// A body of the plane: of its moments that about z alone counts. The bar of that inertia, a^2 + b^2
// = 12 I/m =: d^2, lies along the line from the origin of its frame, and is broader where it lies
// at that origin, or never turns; on a hinge there it is a wheel, I = m r^2/2.
static void bar(const parts* x, int part, json_t* j, double d)
{
  double angle = 0, b = 0.35 * d;
  if (turns_about_itself(x, part)) {
    const double across = 2 * d / sqrt(6), wheel[3] = {across, across, 0.12 * across};
    set_edges(j, wheel, (double[4]){1, 0, 0, 0}, 2);
    return;
  }
  const bool slides = never_turns(x, part);
  for (int i = 0; i < x->s->parts && !slides; i++) {
    const model_part* p = &x->s->part[i];
    if (p->kind != MODEL_PART_LINK || p->held || strcmp(p->name, x->s->part[part].name) != 0)
      continue;
    double to[2];
    for (int k = 0; k < 2; k++)
      to[k] =
          first(x, out_seen_part(i, OUT_SEEN_TO + k)) - first(x, out_seen_part(i, OUT_SEEN_AT + k));
    if (!(hypot(to[0], to[1]) > 0.05 * d)) continue;
    const double own = atan2(first(x, out_seen_part(part, OUT_SEEN_TURN + 3)),
                             first(x, out_seen_part(part, OUT_SEEN_TURN)));
    angle = atan2(to[1], to[0]) - own;
    b = 0.14 * d;
  }
  // what is on it is seen
  const double edge[3] = {sqrt(d * d - b * b), b, (slides ? 0.03 : 0.3) * b};
  set_edges(j, edge, (double[4]){cos(angle / 2), 0, 0, sin(angle / 2)}, -1);
}

// round about z, and of some height: h^2 = 12 I1/m - 6 I3/m
static bool is_drum(const double I[6], double sum)
{
  return fabs(I[0] - I[1]) <= 1e-9 * sum && 2 * I[0] - I[2] > 1e-6 * sum && I[2] > 0 &&
         fabs(I[0] - I[2]) > 1e-9 * sum;
}

// The uniform body of the same mass and moments. A ball: I = 2/5 m r^2. A cylinder about axis 1:
//   I1 = m r^2/2,  I2 = m (3 r^2 + h^2)/12
// A box of edges a, b, c: a^2 = 6 (I2 + I3 - I1)/m. What has no thickness is drawn thin.
static void equal_body(const parts* x, int part, json_t* j)
{
  const double m = first(x, out_seen_part(part, OUT_SEEN_MASS));
  double I[6], edge[3], V[3][3], most = 0;
  for (int i = 0; i < 6; i++) I[i] = first(x, out_seen_part(part, OUT_SEEN_INERTIA + i));
  double A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  out_view_eigen(A, V);
  const double sum = A[0][0] + A[1][1] + A[2][2];
  if (!(m > 0) || !(sum > 0) || !isfinite(sum)) return;
  if (I[2] > 0 && !is_drum(I, sum) && turns_in_plane(x, part)) {
    bar(x, part, j, sqrt(12 * I[2] / m));
    return;
  }
  int axis = -1, equal = 0;
  for (int i = 0; i < 3; i++)
    if (fabs(A[(i + 1) % 3][(i + 1) % 3] - A[(i + 2) % 3][(i + 2) % 3]) <= 1e-9 * sum)
      axis = i, equal++;
  for (int i = 0; i < 3; i++) {
    edge[i] = sqrt(fmax(0, 6 * (sum - 2 * A[i][i]) / m));
    if (equal == 1 && i != axis) edge[i] = 2 * sqrt(2 * A[axis][axis] / m);
    if (equal == 3) edge[i] = 2 * sqrt(2.5 * A[i][i] / m);
    most = fmax(most, edge[i]);
  }
  // V is a rotation: products of rotations started from one
  double R[9], q[4];
  for (int i = 0; i < 9; i++) R[i] = V[i / 3][i % 3];
  out_pack_quaternion(R, q);
  for (int i = 0; i < 3; i++) edge[i] = fmax(edge[i], 0.04 * most);
  set_edges(j, edge, q, equal == 1 ? axis : equal == 3 ? 3 : -1);
}

// ---- surfaces -----------------------------------------------------------------------------------

static const double nowhere[4] = {INFINITY, -INFINITY, INFINITY, -INFINITY};

// a range that spans as well what of its chart is touched over the run
static void touched(const parts* x, int part, double range[4])
{
  for (int i = 0; i < x->seen->rows; i++)
    for (int k = 0; k < 2; k++) {
      const double c = x->seen->value[(size_t)i * (size_t)x->seen->width +
                                      (size_t)out_seen_part(part, OUT_SEEN_TOUCH + k)];
      if (!isfinite(c)) continue;
      range[2 * k] = fmin(range[2 * k], c);
      range[2 * k + 1] = fmax(range[2 * k + 1], c);
    }
}

static bool are_one_guide(const model_part* a, const model_part* b)
{
  return a->kind == b->kind && a->is_base == b->is_base && memcmp(a->r, b->r, sizeof a->r) == 0 &&
         memcmp(a->at, b->at, sizeof a->at) == 0 &&
         memcmp(a->rotation, b->rotation, sizeof a->rotation) == 0;
}

// several points on one wire have one piece of it, drawn with the first
static void add_wire(const parts* x, int part, json_t* j)
{
  double range[4];
  memcpy(range, nowhere, sizeof range);
  for (int i = 0; i < x->s->parts; i++) {
    if (!are_one_guide(&x->s->part[i], &x->s->part[part])) continue;
    if (i < part) return;
    touched(x, i, range);
  }
  json_t* mesh = out_view_wire(x->m, &x->s->part[part], range);
  if (mesh) out_json_set(j, "mesh", mesh);
}

static void add_surface(const parts* x, int part, json_t* j)
{
  const model_part* p = &x->s->part[part];
  double range[4];
  memcpy(range, nowhere, sizeof range);
  touched(x, part, range);
  json_t* list = json_array();
  for (int i = 0; i < 4; i++) out_json_push(list, out_json_real(isfinite(range[i]) ? range[i] : 0));
  out_json_set(j, "range", list);
  out_json_set(j, "base", json_boolean(p->is_base));
  out_json_set(j, "inside", json_boolean(p->inside));
  out_json_set(j, "plane", json_boolean(p->chart == MODEL_CHART_PLANE));
  json_t* mesh = out_view_mesh(x->m, p, range);
  if (mesh) out_json_set(j, "mesh", mesh);
}

// ---- all ----------------------------------------------------------------------------------------

static void set_columns(const parts* x, int part, json_t* j, const char* name, int offset,
                        int count)
{
  out_json_set(j, name, out_pack_columns(x->pack, x->seen, out_seen_part(part, offset), count));
}

static bool is_zero(const model* m, expr e)
{
  return e == expr_int(m->pool, 0);
}

static bool has_end(model_part_kind k)
{
  return k == MODEL_PART_ROD || k == MODEL_PART_LINK || k == MODEL_PART_PLATE ||
         k == MODEL_PART_STRING || k == MODEL_PART_SPRING || k == MODEL_PART_DAMPER ||
         k == MODEL_PART_GROUND || k == MODEL_PART_ROUND || k == MODEL_PART_SPOKES ||
         k == MODEL_PART_BLADE || k == MODEL_PART_CURVE || k == MODEL_PART_TUBE;
}

static bool has_radius(model_part_kind k)
{
  return k == MODEL_PART_BALL || k == MODEL_PART_DISC || k == MODEL_PART_STRING ||
         k == MODEL_PART_SPRING || k == MODEL_PART_ROUND || k == MODEL_PART_TUBE;
}

static bool has_normal(model_part_kind k)
{
  return k == MODEL_PART_DISC || k == MODEL_PART_GROUND || k == MODEL_PART_HINGE ||
         k == MODEL_PART_BLADE || k == MODEL_PART_CURVE || k == MODEL_PART_SPRING ||
         k == MODEL_PART_DAMPER || k == MODEL_PART_TUBE;
}

// a gimbal: radius and own axis
static void add_ring(const parts* x, int part, json_t* j)
{
  set_columns(x, part, j, "size", OUT_SEEN_SIZE, 1);
  set_columns(x, part, j, "normal", OUT_SEEN_NORMAL, 3);
}

static void set_flags(const model_part* p, json_t* j)
{
  if (p->held) out_json_set(j, p->shown ? "shape" : "held", json_true());
  if (p->fixed) out_json_set(j, "fixed", json_true());
  if (p->both) out_json_set(j, "both", json_true());
}

static json_t* one_part(const parts* x, int part)
{
  const model_part* p = &x->s->part[part];
  json_t* j = json_object();
  out_json_set(j, "kind", json_string(kinds[p->kind]));
  out_json_set(j, "name", out_json_string(p->name));
  out_json_set(j, "carrier", out_json_string(p->carrier));
  if (p->shown) out_json_set(j, "shown", json_true());
  set_columns(x, part, j, "at", OUT_SEEN_AT, 3);
  if (has_end(p->kind)) set_columns(x, part, j, "to", OUT_SEEN_TO, 3);
  if (p->kind == MODEL_PART_PLATE) set_columns(x, part, j, "third", OUT_SEEN_THIRD, 3);
  if (p->turns)
    out_json_set(j, "turn", out_pack_turn(x->pack, x->seen, out_seen_part(part, OUT_SEEN_TURN)));
  const bool string = p->kind == MODEL_PART_ROD && p->shown && !is_zero(x->m, p->size[0]);
  if (has_radius(p->kind) || string) set_columns(x, part, j, "size", OUT_SEEN_SIZE, 1);
  if (p->kind == MODEL_PART_BOX || p->kind == MODEL_PART_SPOKES)
    set_columns(x, part, j, "size", OUT_SEEN_SIZE, 3);
  if (has_normal(p->kind)) set_columns(x, part, j, "normal", OUT_SEEN_NORMAL, 3);
  set_flags(p, j);
  if (p->kind == MODEL_PART_PARTICLE) set_columns(x, part, j, "mass", OUT_SEEN_MASS, 1);
  if (p->kind == MODEL_PART_BODY) equal_body(x, part, j);
  if (p->kind == MODEL_PART_BODY && p->held) add_ring(x, part, j);
  if (p->kind == MODEL_PART_SURFACE) add_surface(x, part, j);
  if (p->kind == MODEL_PART_WIRE) add_wire(x, part, j);
  if (p->kind == MODEL_PART_CURVE)
    out_json_set(j, "pieces", out_view_curve(x->m, x->s, part, x->seen));
  if (p->kind == MODEL_PART_CONTACT) set_columns(x, part, j, "force", OUT_SEEN_FORCE, 3);
  return j;
}

// ---- reactions ----------------------------------------------------------------------------------

// the points first .. end - 1 are those that may carry the reaction of one constraint
typedef struct points
{
  int first, end;
} points;

// the constraint speaks of velocities, and this is a particle
static bool is_of_velocity(const parts* x, int part)
{
  const model_part* p = &x->s->part[part];
  if (x->m->constraint[p->holds].order != 1) return false;
  for (int i = 0; i < x->s->parts; i++) {
    const model_part* other = &x->s->part[i];
    if (other->kind == MODEL_PART_PARTICLE && memcmp(other->at, p->at, sizeof p->at) == 0)
      return true;
  }
  return false;
}

static void push_force(const parts* x, json_t* list, int part, double* force)
{
  if (!out_view_moves(x->m, x->s, part, x->seen)) return;
  const walk_table table = {.width = 3, .rows = x->seen->rows, .value = force};
  json_t* j = one_part(x, part);
  out_json_set(j, "force", out_pack_columns(x->pack, &table, 0, 3));
  if (is_of_velocity(x, part)) out_json_set(j, "velocity", json_true());
  out_json_push(list, j);
}

static bool add_single(const parts* x, json_t* list, points p, double* const force[2])
{
  for (int i = p.first; i < p.end; i++)
    if (out_view_force(x->m, x->s, (int[2]){i, i}, OUT_FORCE_SINGLE, x->seen, force)) {
      push_force(x, list, i, force[0]);
      return true;
    }
  return false;
}

static bool add_pair(const parts* x, json_t* list, points p, out_force_kind kind,
                     double* const force[2])
{
  for (int i = p.first; i < p.end; i++)
    for (int k = i + 1; k < p.end; k++)
      if (out_view_force(x->m, x->s, (int[2]){i, k}, kind, x->seen, force)) {
        push_force(x, list, i, force[0]);
        push_force(x, list, k, force[1]);
        return true;
      }
  return false;
}

// for each constraint the first point, else the first two, that carry its reaction
static void add_forces(const parts* x, json_t* list)
{
  const model_part* part = x->s->part;
  double* room = base_alloc(sizeof(double) * 6 * (size_t)(x->seen->rows + 1));
  double* const force[2] = {room, room + 3 * (size_t)x->seen->rows};
  for (points p = {0, 0}; p.first < x->s->parts; p.first = p.end) {
    p.end = p.first + 1;
    if (part[p.first].kind != MODEL_PART_FORCE) continue;
    while (p.end < x->s->parts && part[p.end].kind == MODEL_PART_FORCE &&
           part[p.end].holds == part[p.first].holds)
      p.end++;
    if (!add_single(x, list, p, force) && !add_pair(x, list, p, OUT_FORCE_OPPOSITE, force))
      add_pair(x, list, p, OUT_FORCE_APART, force);
  }
  free(room);
}

json_t* out_view_parts(const model* m, const model_scene* s, const walk_track* t, out_pack* p)
{
  const parts x = {m, s, &t->watched, p};
  json_t* list = json_array();
  for (int i = 0; i < s->parts; i++)
    if (s->part[i].kind != MODEL_PART_FORCE) out_json_push(list, one_part(&x, i));
  add_forces(&x, list);
  return list;
}
