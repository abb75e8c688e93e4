// Functions of the mechanics: places, velocities, angular velocities, energies, momenta, reactions.

#include <string.h>

#include "model/parts.h"

// the point, frame or body of the first argument, and the axes of the second
typedef struct subject
{
  model_entry* thing;
  const model_entry* frame; // null without a second argument
} subject;

static bool thing_arg(model_scope* s, const lang_node* n, model_entry** out)
{
  model_value v = model_eval(s, n);
  if (v.kind == MODEL_POISON) return false;
  if (v.kind != MODEL_THING) {
    base_error(s->notes, n->place, "expected the name of a point, frame or body, this is %s",
               model_value_describe(&v));
    return false;
  }
  *out = v.thing;
  return true;
}

static bool frame_arg(model_scope* s, const lang_node* n, const model_entry** out)
{
  if (n->kind != LANG_NAME) {
    base_error(s->notes, n->place, "expected the name of a frame");
    return false;
  }
  *out = model_scope_frame(s, (lang_word){n->text, n->place});
  return *out != NULL;
}

static bool subject_args(model_scope* s, const lang_node* n, subject* out)
{
  *out = (subject){0};
  bool fine = thing_arg(s, n->kid[0], &out->thing);
  if (n->n == 2) fine &= frame_arg(s, n->kid[1], &out->frame);
  return fine;
}

// a constraint is drawn at the points it speaks of
static void note_spoken(model_scope* s, const model_entry* thing)
{
  for (int i = 0; i < s->speaks_of && i < 2; i++)
    if (s->spoken[i] == thing) return;
  if (s->speaks_of < 2) s->spoken[s->speaks_of] = thing;
  if (s->speaks_of < 3) s->speaks_of++;
}

// ---- points -------------------------------------------------------------------------------------

static model_dim joined_length(const model_entry* a, const model_entry* b)
{
  model_dim d = a->length;
  if (b && !model_dim_join(a->length, b->length, &d)) return model_dim_unknown();
  return d;
}

static model_value call_pos(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  subject x;
  expr e[3];
  if (!subject_args(s, n, &x)) return model_value_poison();
  const model_entry* f = x.frame ? x.frame : s->world;
  note_spoken(s, x.thing);
  if (s->touch) {
    model_contact_point* touch = s->touch;
    touch->several =
        touch->several || (touch->thing && (touch->thing != x.thing || touch->frame != x.frame));
    touch->thing = x.thing;
    touch->frame = x.frame;
    return model_value_vector(touch->at, model_dim_unknown());
  }
  model_place_between(&s->kin, f->origin, x.thing->origin, f->axes, e);
  return model_value_vector(e, joined_length(x.thing, x.frame));
}

static model_value call_motion(model_scope* s, const lang_node* n, int which)
{
  subject x;
  expr e[3];
  if (!subject_args(s, n, &x)) return model_value_poison();
  const model_axes* to = x.frame ? x.frame->axes : NULL;
  note_spoken(s, x.thing);
  if (which == 1)
    model_place_velocity(&s->kin, x.thing->origin, to, e);
  else
    model_place_acceleration(&s->kin, x.thing->origin, to, e);
  return model_value_vector(e, model_dim_rate(x.thing->length, which));
}

static model_value call_turning(model_scope* s, const lang_node* n, int which)
{
  subject x;
  expr e[3];
  if (!subject_args(s, n, &x)) return model_value_poison();
  if (x.thing->sort == MODEL_IS_POINT || x.thing->sort == MODEL_IS_CONTACT) {
    base_error(s->notes, n->kid[0]->place, "`%s` is a point: it does not turn", x.thing->name);
    return model_value_poison();
  }
  if (x.thing->turns) {
    base_error(s->notes, n->kid[0]->place,
               "`%s` turns in its frame by a law of its own; its angular velocity is not known",
               x.thing->name);
    return model_value_poison();
  }
  const model_axes* to = x.frame ? x.frame->axes : NULL;
  if (which == 1)
    model_axes_omega(&s->kin, x.thing->axes, to, e);
  else
    model_axes_alpha(&s->kin, x.thing->axes, to, e);
  return model_value_vector(e, model_dim_rate(model_dim_weak(), which));
}

// ---- what an observer sees ----------------------------------------------------------------------

// rates of the place of P in the axes of F, or of the angular velocity against F in them
static model_value call_relative(model_scope* s, const lang_node* n, int which)
{
  subject x;
  expr e[3], w[3];
  if (!subject_args(s, n, &x)) return model_value_poison();
  if (which >= 0) {
    note_spoken(s, x.thing);
    model_place_between(&s->kin, x.frame->origin, x.thing->origin, x.frame->axes, e);
    for (int k = 0; k < which; k++) model_vec_total(s->pool, e, e);
    return model_value_vector(e, model_dim_rate(joined_length(x.thing, x.frame), which));
  }
  if (call_turning(s, n, 1).kind == MODEL_POISON) return model_value_poison();
  model_axes_omega(&s->kin, x.thing->axes, x.frame->axes, e);
  model_axes_omega(&s->kin, x.frame->axes, x.frame->axes, w);
  model_vec_sub(s->pool, e, w, e);
  if (which == -2) model_vec_total(s->pool, e, e);
  return model_value_vector(e, model_dim_rate(model_dim_weak(), -which));
}

// axis(F, z) in world axes
static model_value call_axis(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  const model_entry* F;
  const lang_node* letter = n->kid[1];
  expr e[3], out[3];
  if (!frame_arg(s, n->kid[0], &F)) return model_value_poison();
  if (letter->kind != LANG_NAME || letter->text[0] < 'x' || letter->text[0] > 'z' ||
      letter->text[1]) {
    base_error(s->notes, letter->place, "the axis of a frame is `x`, `y` or `z`");
    base_help(s->notes, "as in: axis(%s, z)", n->kid[0]->text);
    return model_value_poison();
  }
  for (int k = 0; k < 3; k++) e[k] = expr_int(s->pool, letter->text[0] - 'x' == k);
  model_axes_change(&s->kin, F->axes, NULL, e, out);
  return model_value_vector(out, model_dim_weak());
}

// ---- the whole system ---------------------------------------------------------------------------

static model_value call_energy(model_scope* s, const lang_node* n, int which)
{
  (void)n;
  bool T = which != 'V', V = which != 'T';
  if ((T && s->kinetic->poisoned) || (V && s->potential->poisoned)) return model_value_poison();
  expr e = T ? s->kinetic->value.e[0] : expr_int(s->pool, 0);
  if (V) e = expr_add(s->pool, e, s->potential->value.e[0]);
  return model_value_scalar(e, model_dim_unknown());
}

static model_value call_momentum(model_scope* s, const lang_node* n, int which)
{
  (void)which;
  const model_place* about = NULL;
  bool angular = strcmp(n->text, "angmomentum") == 0;
  if (angular && n->n == 1) {
    model_entry* thing;
    if (!thing_arg(s, n->kid[0], &thing)) return model_value_poison();
    about = thing->origin;
  }
  if (s->has_kinetic) {
    base_error(s->notes, n->place,
               "`%s` knows only declared masses, and this model has `kinetic` statements", n->text);
    base_help(s->notes, "declare the masses as particles or bodies");
    return model_value_poison();
  }
  // a mass that could not be understood has been reported
  if (s->kinetic->poisoned) return model_value_poison();
  expr e[3];
  if (angular)
    model_angmomentum(s, about, e);
  else
    model_momentum(s, e);
  return model_value_vector(e, model_dim_unknown());
}

// ---- reactions ----------------------------------------------------------------------------------

// of a contact or joint the force on the body in world axes
static model_value contact_force(model_scope* s, const lang_node* n, model_entry* c, int part)
{
  if (c->sort == MODEL_IS_JOINT) return model_joint_call(s, n, c, part, MODEL_JOINT_FORCE);
  if (c->sort == MODEL_IS_MEETING && part >= 0) {
    base_error(s->notes, n->place, "the normal force of `%s` is a single number", c->name);
    return model_value_poison();
  }
  if (c->sort == MODEL_IS_MEETING) return model_results_reaction(s, c);
  const expr* F = s->m->contact[c->contact].force;
  model_dim newton = model_dim_of(1, 1, -2);
  return part >= 0 ? model_value_scalar(F[part], newton) : model_value_vector(F, newton);
}

// only joints have a second argument
static bool names_one(model_scope* s, const lang_node* n)
{
  if (n->n == 1) return true;
  base_error(s->notes, n->kid[1]->place, "`%s` takes a frame for joints only", n->text);
  base_help(s->notes, "its parts along other axes: dot(%s(NAME), axis(F, x))", n->text);
  return false;
}

// moment(c) of the friction of a contact on its body in world axes; power(c) of all friction there
static model_value call_friction(model_scope* s, const lang_node* n, int which)
{
  const lang_node* name = n->kid[0];
  model_entry* c =
      name->kind == LANG_NAME ? model_names_find(&s->constraint_names, name->text) : NULL;
  const bool joint = c && c->sort == MODEL_IS_JOINT;
  if (!c || (c->sort != MODEL_IS_CONTACT && !joint)) {
    base_error(s->notes, name->place,
               "expected the name of a joint or of a contact, as in `roll ... at c`");
    return model_value_poison();
  }
  if (c->state != MODEL_DONE) {
    base_error(s->notes, n->place, "a constraint cannot depend on reactions");
    return model_value_poison();
  }
  if (c->poisoned) return model_value_poison();
  if (joint) return model_joint_call(s, n, c, -1, which ? MODEL_JOINT_POWER : MODEL_JOINT_MOMENT);
  if (!names_one(s, n)) return model_value_poison();
  const model_contact* x = &s->m->contact[c->contact];
  if (which == 1) return model_value_scalar(x->power, model_dim_of(2, 1, -3));
  return model_value_vector(x->moment, model_dim_of(2, 1, -2));
}

static bool is_servo(const model_scope* s, const model_entry* c)
{
  if (c->sort != MODEL_IS_CONSTRAINT) return false;
  return c->statement ? c->statement->by.text != NULL
                      : s->m->constraint[c->part_index[0]].by != NULL;
}

// of a constraint: a vector, one part of it, or a number, that of several being their sum
static model_value reaction_of(model_scope* s, const lang_node* n, const model_entry* c, int part)
{
  const bool vector = c->parts == 3 && !c->splits;
  expr r[MODEL_FEW_PARTS];
  if (c->splits && part < 0) return model_results_reaction(s, c);
  for (int i = 0; i < c->parts; i++)
    r[i] = c->part_index[i] < 0 ? expr_int(s->pool, 0) : s->m->reaction[c->part_index[i]];
  if (part >= 0 && vector) return model_value_scalar(r[part], model_dim_unknown());
  if (part >= 0) {
    base_error(s->notes, n->place, "the constraint `%s` is a single equation", c->name);
    return model_value_poison();
  }
  return vector ? model_value_vector(r, model_dim_unknown())
                : model_value_scalar(r[0], model_dim_unknown());
}

// reaction(NAME) and, of one part of a vector constraint, reaction(NAME.x); control(NAME) of a
// servo constraint
static model_value call_reaction(model_scope* s, const lang_node* n, int which)
{
  const lang_node* name = n->kid[0];
  int part = -1;
  if (name->kind == LANG_FIELD && name->text[0] >= 'x' && name->text[0] <= 'z' && !name->text[1]) {
    part = name->text[0] - 'x';
    name = name->kid[0];
  }
  if (name->kind != LANG_NAME) {
    base_error(s->notes, n->kid[0]->place, "expected the name of a constraint");
    return model_value_poison();
  }
  model_entry* c = model_names_find(&s->constraint_names, name->text);
  if (!c) {
    model_scope_unknown_constraint(s, name->text, name->place);
    return model_value_poison();
  }
  if (c->state != MODEL_DONE) {
    base_error(s->notes, n->place, "a constraint cannot depend on reactions");
    return model_value_poison();
  }
  if (c->poisoned || (c->sort != MODEL_IS_JOINT && !names_one(s, n))) return model_value_poison();
  if (which == 1 && !is_servo(s, c)) {
    base_error(s->notes, n->place, "`%s` is not held by a control", c->name);
    base_help(s->notes, "its force is reaction(%s)", c->name);
    return model_value_poison();
  }
  return c->sort == MODEL_IS_CONSTRAINT ? reaction_of(s, n, c, part) : contact_force(s, n, c, part);
}

const model_function model_mechanics_functions[] = {
    {"pos", 1, 2, "pos(P) or pos(P, F)", call_pos, 0, false},
    {"vel", 1, 2, "vel(P) or vel(P, F)", call_motion, 1, false},
    {"acc", 1, 2, "acc(P) or acc(P, F)", call_motion, 2, false},
    {"omega", 1, 2, "omega(B) or omega(B, F)", call_turning, 1, false},
    {"alpha", 1, 2, "alpha(B) or alpha(B, F)", call_turning, 2, false},
    {"pos_relative", 2, 2, "pos(P relative to F)", call_relative, 0, false},
    {"vel_relative", 2, 2, "vel(P relative to F)", call_relative, 1, false},
    {"acc_relative", 2, 2, "acc(P relative to F)", call_relative, 2, false},
    {"omega_relative", 2, 2, "omega(B relative to F)", call_relative, -1, false},
    {"alpha_relative", 2, 2, "alpha(B relative to F)", call_relative, -2, false},
    {"axis", 2, 2, "axis(F, z)", call_axis, 0, false},
    {"energy", 0, 0, "energy()", call_energy, 'E', true},
    {"kinetic", 0, 0, "kinetic()", call_energy, 'T', true},
    {"potential", 0, 0, "potential()", call_energy, 'V', true},
    {"momentum", 0, 0, "momentum()", call_momentum, 0, true},
    {"angmomentum", 0, 1, "angmomentum() or angmomentum(P)", call_momentum, 0, true},
    {"reaction", 1, 2, "reaction(NAME), of a joint reaction(NAME, F)", call_reaction, 0, true},
    {"moment", 1, 2, "moment(NAME), of a joint moment(NAME, F)", call_friction, 0, true},
    {"power", 1, 1, "power(NAME)", call_friction, 1, true},
    {"gap", 1, 1, "gap(NAME)", model_results_call, MODEL_RESULT_GAP, false},
    {"friction", 1, 1, "friction(NAME)", model_results_call, MODEL_RESULT_FRICTION, true},
    {"slip", 1, 1, "slip(NAME)", model_results_call, MODEL_RESULT_SLIP, false},
    {"state", 1, 1, "state(NAME)", model_results_call, MODEL_RESULT_STATE, false},
    {"loss", 1, 1, "loss(NAME)", model_results_call, MODEL_RESULT_LOSS, true},
    {"control", 1, 1, "control(NAME)", call_reaction, 1, true},
    {"delay", 2, 2, "delay(x, 0.05)", model_delay_call, 0, false},
};
const int model_mechanics_function_count =
    sizeof model_mechanics_functions / sizeof *model_mechanics_functions;
