// Joints. The first joint in the text that names a body without a place gives it one: the joint's
// coordinates are the model's, and nothing is constrained. Any other closes a loop, and is a set of
// constraints.
//   B's axes = A's axes R_A turn(coordinates) R_B^T,   places of both: r_A + R_A slide = r_B,
// with R_A, r_A and R_B, r_B the frames of the joint on A and B.

#include "model/joint.h"

#include <string.h>

typedef enum kind {
  WELD,
  HINGE,
  SLIDER,
  SCREW,
  CYLINDRICAL,
  UNIVERSAL,
  SPHERICAL,
  PLANAR,
  FREE,
  DISTANCE,
  KINDS
} kind;

// Coordinates by their parts (a: angle about z, s: along z, ...); and as constraints: which parts
// of the distance in A's axes vanish (bits 1, 2, 4), and of the turn: 2 the axes are parallel, 3
// nothing turns, 1 the axes cross at right angles.
static const struct
{
  const char* name;
  const char* coord[4];
  bool turns_freely;
  int places, turns;
} kinds[KINDS] = {
    [WELD] = {"weld", {NULL}, false, 7, 3},
    [HINGE] = {"hinge", {"angle"}, false, 7, 2},
    [SLIDER] = {"slider", {"s"}, false, 3, 3},
    [SCREW] = {"screw", {"angle"}, false, 0, 0},
    [CYLINDRICAL] = {"cylindrical", {"angle", "s"}, false, 3, 2},
    [UNIVERSAL] = {"universal", {"a", "b"}, false, 7, 1},
    [SPHERICAL] = {"spherical", {NULL}, true, 7, 0},
    [PLANAR] = {"planar", {"x", "y", "angle"}, false, 4, 2},
    [FREE] = {"free", {"x", "y", "z"}, true, 0, 0},
    [DISTANCE] = {"distance", {NULL}, false, 0, 0},
};

static kind kind_of(const lang_statement* st)
{
  int k = 0;
  while (k < KINDS - 1 && (!st->shape.text || strcmp(kinds[k].name, st->shape.text) != 0)) k++;
  return (kind)k;
}

// ---- who is placed by whom ----------------------------------------------------------------------

static bool may_be_placed(const lang_statement* st)
{
  static const lang_statement_kind bodies[] = {LANG_BODY, LANG_ROD, LANG_PLATE, LANG_DISC,
                                               LANG_BALL};
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
    if (st->kind == bodies[i]) return st->name.text && !st->in.text;
  return false;
}

static model_entry* note(model_scope* s, model_names* names, lang_word name,
                         const lang_statement* st)
{
  model_entry* e = base_arena_take(s->arena, sizeof *e);
  e->name = name.text;
  e->statement = st;
  model_names_add(names, e);
  return e;
}

void model_joint_find(model_scope* s)
{
  model_names bodies = {0};
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = &s->tree->at[i];
    if (may_be_placed(st) && !model_names_find(&bodies, st->name.text))
      note(s, &bodies, st->name, st);
  }
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = &s->tree->at[i];
    if (st->kind != LANG_JOINT || st->closes || !st->end || !st->end[0].body.text) continue;
    const char* body = st->end[0].body.text;
    if (kind_of(st) != DISTANCE && model_names_find(&bodies, body) &&
        !model_names_find(&s->placed, body))
      note(s, &s->placed, st->end[0].body, st);
  }
  model_names_free(&bodies);
}

bool model_joint_places(const model_entry* e)
{
  return e->places;
}

static void make_coordinates(model_scope* s, model_entry* e, kind k)
{
  for (int i = 0; i < 4 && kinds[k].coord[i]; i++) {
    const char* part = kinds[k].coord[i];
    const bool angle = strcmp(part, "angle") == 0 || k == UNIVERSAL;
    model_coord_make(s, e, part, angle ? "rad" : "m", 0);
  }
  if (!kinds[k].turns_freely) return;
  model_entry* Q = model_scope_new_entry(s, MODEL_IS_ORIENTATION, e->name, e->place);
  model_scope_declare(s, Q);
  model_orientation_declare(s, Q);
}

void model_joint_declare(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_entry* placed = model_names_find(&s->placed, st->end[0].body.text);
  e->places = placed && placed->statement == st;
  if (e->places)
    make_coordinates(s, e, kind_of(st));
  else
    s->made_constraints += 6;
}

void model_joint_attach(model_scope* s)
{
  for (int i = 0; i < s->entries.n; i++) {
    model_entry* e = s->entries.at[i];
    if (e->sort != MODEL_IS_JOINT || !e->places) continue;
    model_entry* body = model_names_find(&s->names, e->statement->end[0].body.text);
    if (body && body->sort == MODEL_IS_BODY) body->joint = e;
  }
}

// ---- a body is placed ---------------------------------------------------------------------------

static expr coordinate(model_scope* s, const model_entry* e, const char* part)
{
  const model_entry* x =
      model_names_find(&s->names, base_arena_printf(s->arena, "%s.%s", e->name, part));
  return x && x->sort == MODEL_IS_COORD ? x->value.e[0] : expr_int(s->pool, 0);
}

// along the axes of the joint on A
static bool slide(model_scope* s, const model_entry* e, kind k, expr out[3])
{
  expr_pool* p = s->pool;
  expr pitch;
  model_dim d;
  model_vec_zero(p, out);
  static const char* const part[3] = {"x", "y", "z"};
  for (int i = 0; i < 3 && (k == PLANAR || k == FREE); i++) out[i] = coordinate(s, e, part[i]);
  if (k == SLIDER || k == CYLINDRICAL) out[2] = coordinate(s, e, "s");
  if (k != SCREW) return true;
  const lang_node* n = e->statement->pitch;
  if (!n) {
    base_error(s->notes, e->place, "a screw has a pitch: the way it makes in one turn");
    base_help(s->notes, "joint %s: screw B on A pitch h", e->name);
    return false;
  }
  if (!model_eval_scalar(s, n, "a pitch", &pitch, &d) ||
      !model_expect_dim(s, n, d, model_dim_of(1, 0, 0), "a pitch") ||
      !model_expect_free(s, n, pitch, MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE,
                         "a pitch"))
    return false;
  const expr turn = expr_mul(p, expr_int(p, 2), expr_pi(p));
  out[2] = expr_div(p, expr_mul(p, pitch, coordinate(s, e, "angle")), turn);
  return true;
}

static bool are_same(const expr a[9], const expr b[9])
{
  return memcmp(a, b, 9 * sizeof *a) == 0;
}

// A's axes turned by the joint into those of B
static const model_axes* turn(model_scope* s, const model_entry* e, kind k, const model_axes* axes,
                              const model_joint_frame* on_a, const model_joint_frame* on_b)
{
  if (k == UNIVERSAL) {
    axes = model_joint_frame_spin(s, axes, on_a->R, coordinate(s, e, "a"));
    return model_joint_frame_spin(s, axes, on_b->R, coordinate(s, e, "b"));
  }
  const bool about_z = k == HINGE || k == SCREW || k == CYLINDRICAL || k == PLANAR;
  const expr angle = about_z ? coordinate(s, e, "angle") : expr_int(s->pool, 0);
  if (are_same(on_a->R, on_b->R) && !kinds[k].turns_freely)
    return about_z ? model_joint_frame_spin(s, axes, on_a->R, angle) : axes;
  axes = model_joint_frame_turn(s, axes, on_a->R, false);
  if (about_z) axes = model_axes_turn(&s->kin, axes, 2, angle);
  if (kinds[k].turns_freely) {
    const model_entry* Q = model_names_find(&s->names, e->name);
    axes = model_axes_orient(&s->kin, axes, Q->quaternion);
  }
  return model_joint_frame_turn(s, axes, on_b->R, true);
}

static bool cross_squarely(model_scope* s, const model_entry* e, const model_joint_frame* frame)
{
  expr z[2][3];
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++) z[k][i] = frame[k].R[3 * i + 2];
  const expr cosine = model_vec_dot(s->pool, z[0], z[1]);
  const double number = model_scope_number(s, cosine);
  if (number < 1e-9 && number > -1e-9) return true;
  base_error(s->notes, e->place, "the axes of a universal joint cross at right angles");
  base_help(s->notes, "as in: joint %s: universal B axis x on A axis z", e->name);
  return false;
}

static bool read_frames(model_scope* s, const model_entry* e, model_joint_frame frame[2])
{
  const lang_statement* st = e->statement;
  const bool universal = kind_of(st) == UNIVERSAL;
  const bool fine = model_joint_frame_read(s, &st->end[0], universal ? 1 : 3, &frame[0]);
  if (!model_joint_frame_read(s, &st->end[1], 3, &frame[1]) || !fine) return false;
  return !universal || cross_squarely(s, e, frame);
}

enum { DEEPEST = 2000 };

static bool place(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const kind k = kind_of(st);
  model_joint_frame frame[2];
  const model_entry* A = model_scope_frame(s, st->end[1].body);
  expr way[3], at[3], back[3];
  if (!A || !read_frames(s, e, frame) || !slide(s, e, k, way)) return false;
  if (A->frames >= DEEPEST) {
    base_error(s->notes, e->place, "more than %d bodies, each on the one before", DEEPEST);
    return false;
  }
  model_joint_frame_carry(s, frame[1].R, way, at);
  model_vec_add(s->pool, at, frame[1].r, at);
  e->axes = turn(s, e, k, A->axes, &frame[1], &frame[0]);
  model_vec_scale(s->pool, expr_int(s->pool, -1), frame[0].r, back);
  const model_place* joint = model_place_add(&s->kin, A->origin, A->axes, at);
  e->origin =
      model_vec_is_zero(s->pool, back) ? joint : model_place_add(&s->kin, joint, e->axes, back);
  e->carrier = A;
  e->frames = A->frames + 1;
  e->length = A->length;
  for (int i = 0; i < 2; i++)
    if (frame[i].length.kind == MODEL_DIM_KNOWN) e->length = frame[i].length;
  return true;
}

void model_joint_place(model_scope* s, model_entry* body)
{
  (void)s;
  const model_entry* j = body->joint;
  body->axes = j->axes;
  body->origin = j->origin;
  body->frames = j->frames;
  body->length = j->length;
}

// ---- a loop is closed ---------------------------------------------------------------------------

static void hold(model_scope* s, model_entry* e, const char* part, expr f)
{
  if (f == expr_int(s->pool, 0) || expr_is_zero(s->pool, f) == EXPR_YES) return;
  const model_constraint c = {.name = base_arena_printf(s->arena, "%s.%s", e->name, part),
                              .f = f,
                              .linear = true,
                              .restitution = EXPR_NONE,
                              .place = e->place};
  const int number = model_constraint_append(s, c);
  if (e->rows++ == 0) e->part_index[0] = number;
}

static bool hold_distance(model_scope* s, model_entry* e, const expr apart[3])
{
  const lang_node* n = e->statement->natural;
  expr length;
  model_dim d;
  if (!n) {
    base_error(s->notes, e->place, "a distance has a length");
    base_help(s->notes, "joint %s: distance B on A length l", e->name);
    return false;
  }
  if (!model_eval_scalar(s, n, "a length", &length, &d) ||
      !model_expect_dim(s, n, d, model_dim_of(1, 0, 0), "a length") ||
      !model_expect_free(s, n, length, MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE,
                         "a length"))
    return false;
  const expr now = expr_fn1(s->pool, EXPR_SQRT, model_vec_dot(s->pool, apart, apart));
  hold(s, e, "length", expr_sub(s->pool, now, length));
  return true;
}

// column k of the joint's frame on B, in that on A
static void axis_of(model_scope* s, const model_axes* on_b, const model_axes* on_a, int k,
                    expr out[3])
{
  expr v[3];
  for (int i = 0; i < 3; i++) v[i] = expr_int(s->pool, i == k);
  model_axes_change(&s->kin, on_b, on_a, v, out);
}

static bool close_loop(model_scope* s, model_entry* e)
{
  static const char* const part[3] = {"x", "y", "z"};
  const lang_statement* st = e->statement;
  const kind k = kind_of(st);
  model_joint_frame frame[2];
  const model_entry* thing[2];
  const model_axes* axes[2];
  const model_place* at[2];
  expr apart[3], x[3], z[3];
  bool fine = read_frames(s, e, frame);
  for (int i = 0; i < 2; i++) {
    thing[i] = model_scope_frame(s, st->end[i].body);
    fine = fine && thing[i];
  }
  if (!fine) return false;
  if (k == SCREW || k == FREE) {
    base_error(s->notes, e->place, "a joint of the kind `%s` places a body: it closes no loop",
               kinds[k].name);
    return false;
  }
  for (int i = 0; i < 2; i++) {
    axes[i] = model_joint_frame_turn(s, thing[i]->axes, frame[i].R, false);
    at[i] = model_place_add(&s->kin, thing[i]->origin, thing[i]->axes, frame[i].r);
  }
  model_place_between(&s->kin, at[1], at[0], axes[1], apart);
  if (k == DISTANCE) return hold_distance(s, e, apart);
  for (int i = 0; i < 3; i++)
    if (kinds[k].places & 1 << i) hold(s, e, part[i], apart[i]);
  axis_of(s, axes[0], axes[1], 2, z);
  axis_of(s, axes[0], axes[1], 0, x);
  if (kinds[k].turns == 1) hold(s, e, "cross", z[2]);
  if (kinds[k].turns >= 2) hold(s, e, "lean", z[0]);
  if (kinds[k].turns >= 2) hold(s, e, "tilt", z[1]);
  if (kinds[k].turns == 3) hold(s, e, "turn", x[1]);
  if (e->rows) return true;
  base_error(s->notes, e->place, "the joint `%s` holds already: it closes nothing", e->name);
  return false;
}

void model_joint_resolve(model_scope* s, model_entry* e)
{
  const lang_word* body = &e->statement->end[0].body;
  if (!e->places && strcmp(body->text, e->statement->end[1].body.text) == 0) {
    base_error(s->notes, body->place, "a joint joins two bodies, `%s` is named twice", body->text);
    e->poisoned = true;
    return;
  }
  e->poisoned = !(e->places ? place(s, e) : close_loop(s, e));
}
