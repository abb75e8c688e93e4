// Joints. The first joint in the text that names a body without a place gives it one: the joint's
// coordinates are the model's, and nothing is constrained. Any other closes a loop, and is a set of
// constraints.
//   B's axes = A's axes R_A turn(coordinates) R_B^T,   places of both: r_A + R_A slide = r_B,
// with R_A, r_A and R_B, r_B the frames of the joint on A and B.

#include "model/joint.h"
#include "model/surface.h"

#include <string.h>

// Coordinates by their parts; as constraints: which parts of the distance in A's axes vanish (bits
// 1, 2, 4), and of the turn: 1 the axes cross at right angles, 2 they are parallel, 3 nothing
// turns; last how many freedoms it leaves.
const model_joint_law model_joint_laws[MODEL_JOINTS] = {
    [MODEL_WELD] = {"weld", {NULL}, false, 7, 3, 0},
    [MODEL_HINGE] = {"hinge", {"angle"}, false, 7, 2, 1},
    [MODEL_SLIDER] = {"slider", {"s"}, false, 3, 3, 1},
    [MODEL_SCREW] = {"screw", {"angle"}, false, 0, 0, 1},
    [MODEL_CYLINDRICAL] = {"cylindrical", {"angle", "s"}, false, 3, 2, 2},
    [MODEL_UNIVERSAL] = {"universal", {"a", "b"}, false, 7, 1, 2},
    [MODEL_SPHERICAL] = {"spherical", {NULL}, true, 7, 0, 3},
    [MODEL_PLANAR] = {"planar", {"x", "y", "angle"}, false, 4, 2, 3},
    [MODEL_FREE] = {"free", {"x", "y", "z"}, true, 0, 0, 6},
    [MODEL_DISTANCE] = {"distance", {NULL}, false, 0, 0, 5},
    [MODEL_ON_CURVE] = {"point on curve", {"u"}, true, 7, 0, 4},
    [MODEL_ON_SURFACE] = {"point on surface", {"u", "v"}, true, 7, 0, 5},
};

// what is written as `point` is on a curve or on a surface, as what it names is one or the other
model_joint_kind model_joint_kind_of(const model_scope* s, const lang_statement* st)
{
  int k = 0;
  // in a part that has something of that name the word of the kind carries the name of the part
  const char *text = st->shape.text, *dot = text ? strrchr(text, '.') : NULL,
             *word = dot ? dot + 1 : text;
  if (word && strcmp(word, "point") == 0)
    return model_surface_is_curve(s, st->left) ? MODEL_ON_CURVE : MODEL_ON_SURFACE;
  while (k < MODEL_JOINTS - 1 && (!word || strcmp(model_joint_laws[k].name, word) != 0)) k++;
  return (model_joint_kind)k;
}

// ---- who is placed by whom ----------------------------------------------------------------------

static bool may_be_placed(const lang_statement* st)
{
  static const lang_statement_kind bodies[] = {LANG_BODY, LANG_ROD,  LANG_PLATE,
                                               LANG_DISC, LANG_BALL, LANG_SOLID_BODY};
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

bool model_joint_is_guided(model_joint_kind k)
{
  return k == MODEL_ON_CURVE || k == MODEL_ON_SURFACE;
}

void model_joint_find(model_scope* s)
{
  model_names bodies = {0};
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (may_be_placed(st) && !model_names_find(&bodies, st->name.text))
      note(s, &bodies, st->name, st);
  }
  for (int i = 0; i < s->tree->count; i++) {
    const lang_statement* st = s->tree->at[i];
    if (st->kind != LANG_JOINT || !st->end || !st->end[0].body.text) continue;
    const lang_word body = st->end[0].body;
    if (!model_names_find(&bodies, body.text)) continue;
    if (!model_names_find(&s->joined, body.text)) note(s, &s->joined, body, st);
    const model_joint_kind k = model_joint_kind_of(s, st);
    const bool rubs = st->friction && model_joint_is_guided(k); // by the force of a constraint
    if (!st->closes && !rubs && k != MODEL_DISTANCE && !model_names_find(&s->placed, body.text))
      note(s, &s->placed, body, st);
  }
  model_names_free(&bodies);
}

bool model_joint_places(const model_entry* e)
{
  return e->places;
}

static void make_coordinates(model_scope* s, model_entry* e, model_joint_kind k)
{
  for (int i = 0; i < 4 && model_joint_laws[k].coord[i]; i++) {
    const char* part = model_joint_laws[k].coord[i];
    const bool angle = strcmp(part, "angle") == 0 || k == MODEL_UNIVERSAL;
    model_coord_make(s, e, part, model_joint_is_guided(k) ? "" : angle ? "rad" : "m", 0);
  }
  // where it closes a loop these coordinates are all it adds, and they have no mass
  if (!model_joint_laws[k].turns_freely || !e->places) return;
  model_entry* Q = model_scope_new_entry(s, MODEL_IS_ORIENTATION, e->name, e->place);
  // x, y, z are its place where it is free
  Q->own = k == MODEL_FREE;
  model_scope_declare(s, Q);
  model_orientation_declare(s, Q);
  e->orientation = Q;
}

void model_joint_declare(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_entry* placed = model_names_find(&s->placed, st->end[0].body.text);
  const model_joint_kind k = model_joint_kind_of(s, st);
  e->places = placed && placed->statement == st;
  if (e->places || model_joint_is_guided(k)) make_coordinates(s, e, k);
  if (!e->places) s->made_constraints += 6;
  s->m->massless |= !e->places && model_joint_is_guided(k);
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
static bool slide(model_scope* s, const model_entry* e, model_joint_kind k, expr out[3])
{
  expr_pool* p = s->pool;
  expr pitch;
  model_dim d;
  if (!model_joint_guide(s, e, out)) return false;
  static const char* const part[3] = {"x", "y", "z"};
  for (int i = 0; i < 3 && (k == MODEL_PLANAR || k == MODEL_FREE); i++)
    out[i] = coordinate(s, e, part[i]);
  if (k == MODEL_SLIDER || k == MODEL_CYLINDRICAL) out[2] = coordinate(s, e, "s");
  if (k != MODEL_SCREW) return true;
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

bool model_joint_guide(model_scope* s, const model_entry* e, expr out[3])
{
  const lang_statement* st = e->statement;
  model_surface x;
  expr ru[3], rv[3];
  model_vec_zero(s->pool, out);
  if (!model_joint_is_guided(model_joint_kind_of(s, st))) return true;
  if (!st->left) {
    base_error(s->notes, st->place, "this joint lacks the curve or surface that it is on");
    return false;
  }
  if (!model_surface_read_guide(s, st->left, &x)) return false;
  const bool curve = model_joint_kind_of(s, st) == MODEL_ON_CURVE;
  if (st->direction.text && x.curve != (strcmp(st->direction.text, "curve") == 0)) {
    base_error(s->notes, st->left->place, "this is a %s", x.curve ? "curve" : "surface");
    base_help(s->notes, "write: on %s ...", x.curve ? "curve" : "surface");
    return false;
  }
  const expr u = coordinate(s, e, "u"), v = curve ? expr_int(s->pool, 0) : coordinate(s, e, "v");
  model_surface_at(s, &x, u, v, out, ru, rv);
  return true;
}

static bool are_same(const expr a[9], const expr b[9])
{
  return memcmp(a, b, 9 * sizeof *a) == 0;
}

// A's axes turned by the joint into those of B
static const model_axes* turn(model_scope* s, const model_entry* e, model_joint_kind k,
                              const model_axes* axes, const model_joint_frame* on_a,
                              const model_joint_frame* on_b)
{
  if (k == MODEL_UNIVERSAL) {
    axes = model_joint_frame_spin(s, axes, on_a->R, coordinate(s, e, "a"));
    return model_joint_frame_spin(s, axes, on_b->R, coordinate(s, e, "b"));
  }
  const bool about_z =
      k == MODEL_HINGE || k == MODEL_SCREW || k == MODEL_CYLINDRICAL || k == MODEL_PLANAR;
  const expr angle = about_z ? coordinate(s, e, "angle") : expr_int(s->pool, 0);
  if (are_same(on_a->R, on_b->R) && !model_joint_laws[k].turns_freely)
    return about_z ? model_joint_frame_spin(s, axes, on_a->R, angle) : axes;
  axes = model_joint_frame_turn(s, axes, on_a->R, false);
  if (about_z) axes = model_axes_turn(&s->kin, axes, 2, angle);
  if (model_joint_laws[k].turns_freely) {
    axes = model_axes_orient(&s->kin, axes, e->orientation->quaternion);
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

bool model_joint_frames(model_scope* s, const model_entry* e, model_joint_frame frame[2])
{
  const lang_statement* st = e->statement;
  const bool universal = model_joint_kind_of(s, st) == MODEL_UNIVERSAL;
  const bool fine = model_joint_frame_read(s, &st->end[0], universal ? 1 : 3, &frame[0]);
  if (!model_joint_frame_read(s, &st->end[1], 3, &frame[1]) || !fine) return false;
  return !universal || cross_squarely(s, e, frame);
}

enum { DEEPEST = 2000 };

// let go: B is displaced and turned at the joint, along A's axes
static void give(model_scope* s, const model_axes** axes, expr at[3])
{
  model_vec_add(s->pool, at, s->give, at);
  for (int k = 0; k < 3; k++) *axes = model_axes_turn(&s->kin, *axes, k, s->give[3 + k]);
}

static bool place(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_joint_kind k = model_joint_kind_of(s, st);
  model_joint_frame frame[2];
  const model_entry* A = model_scope_frame(s, st->end[1].body);
  expr way[3], at[3], back[3];
  if (!A || !model_joint_frames(s, e, frame) || !slide(s, e, k, way)) return false;
  if (A->frames >= DEEPEST) {
    base_error(s->notes, e->place, "more than %d bodies, each on the one before", DEEPEST);
    return false;
  }
  model_joint_frame_carry(s, frame[1].R, way, at);
  model_vec_add(s->pool, at, frame[1].r, at);
  memcpy(e->way, at, sizeof e->way);
  const model_axes* from = A->axes;
  if (s->released && strcmp(s->released, e->name) == 0) give(s, &from, at);
  e->axes = turn(s, e, k, from, &frame[1], &frame[0]);
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

// an axis written on one of the two alone lies along the z of the other, which few mean
static void warn_of_one_axis(model_scope* s, const model_entry* e)
{
  const lang_statement* st = e->statement;
  const model_joint_kind k = model_joint_kind_of(s, st);
  const bool has_axis = k == MODEL_HINGE || k == MODEL_SLIDER || k == MODEL_SCREW ||
                        k == MODEL_CYLINDRICAL || k == MODEL_PLANAR;
  if (!has_axis || !st->end[0].axis == !st->end[1].axis) return;
  const lang_end *given = &st->end[st->end[0].axis ? 0 : 1],
                 *other = &st->end[st->end[0].axis ? 1 : 0];
  if (given->axis->kind == LANG_NAME && strcmp(given->axis->text, "z") == 0) return;
  const char* axis = base_notes_quote(s->notes, given->axis->place, s->arena);
  base_warning(s->notes, given->axis->place, "`%s` has an axis, `%s` has none: there it is z",
               given->body.text, other->body.text);
  base_help(s->notes, "where the same is meant on both, write `axis %s` behind `%s`, too", axis,
            other->body.text);
}

// Other joints than those of a point on a curve or surface have no friction of their own; all else
// is read as if none were written, so that nothing is told that only follows from it.
static void refuse_friction(model_scope* s, const model_entry* e)
{
  const lang_node* friction = e->statement->friction;
  const model_joint_kind k = model_joint_kind_of(s, e->statement);
  if (!friction || model_joint_is_guided(k)) return;
  base_error(s->notes, friction->place,
             "friction is that of a point on a curve or surface, `%s` is a joint of the kind `%s`",
             e->name, model_joint_laws[k].name);
  const char* part = model_joint_laws[k].coord[0];
  if (part && e->places)
    base_help(s->notes, "along its coordinate: force %s.%s = -mu*N*sign(%s.%s')", e->name, part,
              e->name, part);
}

void model_joint_resolve(model_scope* s, model_entry* e)
{
  if (!s->released) warn_of_one_axis(s, e);
  if (!s->released) refuse_friction(s, e);
  const lang_word* body = &e->statement->end[0].body;
  if (!e->places && strcmp(body->text, e->statement->end[1].body.text) == 0) {
    base_error(s->notes, body->place, "a joint joins two bodies, `%s` is named twice", body->text);
    e->poisoned = true;
    return;
  }
  e->poisoned = !(e->places ? place(s, e) : model_joint_close(s, e));
  if (!e->poisoned && !s->released) model_scene_note_rail(s, e);
}

void model_joint_list(model_scope* s)
{
  model* m = s->m;
  m->joint = base_arena_take(s->arena, (size_t)(s->entries.n + 1) * sizeof *m->joint);
  for (int i = 0; i < s->entries.n; i++) {
    const model_entry* e = s->entries.at[i];
    if (e->sort != MODEL_IS_JOINT) continue;
    const model_joint_law* law = &model_joint_laws[model_joint_kind_of(s, e->statement)];
    m->joint[m->joints++] =
        (model_joint){.name = e->name,
                      .kind = law->name,
                      .body = base_arena_strdup(s->arena, e->statement->end[0].body.text),
                      .on = base_arena_strdup(s->arena, e->statement->end[1].body.text),
                      .places = e->places,
                      .freedoms = law->freedoms,
                      .first = e->index,
                      .rows = e->rows};
  }
}
