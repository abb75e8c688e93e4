// An attitude at the start. With q the quaternion of the body's axes and g the given one, both
// attitudes are equal exactly where the vector part of g^-1 q vanishes.

#include "model/parts.h"

// turns after the orientation that a guess looks through
enum { MOST_TURNS = 32 };

static const model_entry* subject(model_scope* s, const lang_node* call)
{
  if (call->n != 1) {
    base_error(s->notes, call->place, "`rotation` takes the name of a frame or body");
    base_help(s->notes, "an attitude is written: initial rotation(B) = z(0.1) x(pi/2)");
    return NULL;
  }
  const lang_node* name = call->kid[0];
  if (name->kind == LANG_NAME) return model_scope_frame(s, (lang_word){name->text, name->place});
  base_error(s->notes, name->place, "expected the name of a frame or body");
  return NULL;
}

// the last turn of the chain that is an orientation
static const model_axes* orientation_of(const model_axes* a)
{
  while (a && a->k != MODEL_BY_QUATERNION) a = a->prev;
  return a;
}

// quaternion of the turns of `a` down to, and without, those of b
static void turns_after(model_scope* s, const model_axes* a, const model_axes* b, expr out[4])
{
  // a chain of its own: the same turns from the world's axes on
  const model_axes* list[MOST_TURNS];
  int n = 0;
  for (; a != b && n < MOST_TURNS; a = a->prev) list[n++] = a;
  const model_axes* chain = NULL;
  while (n > 0) {
    a = list[--n];
    chain = model_axes_turn(&s->kin, chain, a->k, a->angle);
  }
  model_axes_quaternion(&s->kin, chain, out);
}

// The orientation Q in before Q after = given is conj(before) given conj(after): a guess that the
// equations then need not move, where it depends on nothing unknown.
static void guess_orientation(model_scope* s, const model_axes* axes, const expr given[4],
                              base_place place, model_initials* list)
{
  const model_axes* o = orientation_of(axes);
  if (!o) return;
  expr before[4], after[4], q[4];
  model_axes_quaternion(&s->kin, o->prev, before);
  model_quaternion_conjugate(s->pool, before, before);
  turns_after(s, axes, o, after);
  model_quaternion_conjugate(s->pool, after, after);
  model_quaternion_product(s->pool, before, given, q);
  model_quaternion_product(s->pool, q, after, q);
  for (int i = 0; i < 4; i++) {
    int primes, coord = model_coord_of(s, o->quaternion[i], &primes);
    if (coord < 0 || (model_scope_uses(s, q[i]) & MODEL_USES_STATE)) continue;
    base_push(list, ((model_initial){.f = expr_sub(s->pool, o->quaternion[i], q[i]),
                                     .guess = true,
                                     .coord = coord,
                                     .value = q[i],
                                     .place = place}));
  }
}

void model_initial_rotation(model_scope* s, const lang_statement* st, model_initials* list)
{
  const model_entry* body = subject(s, st->left);
  const model_axes* axes = NULL;
  bool fine = body != NULL;
  for (int i = 0; i < st->rotations; i++) fine &= model_frame_rotate(s, &st->rotation[i], &axes);
  if (!fine) return;
  expr q[4], given[4], inverse[4], off[4];
  model_axes_quaternion(&s->kin, body->axes, q);
  model_axes_quaternion(&s->kin, axes, given);
  model_quaternion_conjugate(s->pool, given, inverse);
  model_quaternion_product(s->pool, inverse, q, off);
  guess_orientation(s, body->axes, given, st->place, list);
  bool any = false;
  for (int i = 1; i < 4; i++) {
    if (!(model_scope_uses(s, off[i]) & MODEL_USES_STATE)) continue;
    any = true;
    base_push(list, ((model_initial){.f = off[i],
                                     .guess = st->relation == LANG_GUESS,
                                     .coord = -1,
                                     .value = EXPR_NONE,
                                     .place = st->place}));
  }
  if (any) return;
  base_error(s->notes, st->place, "the attitude of `%s` depends on no coordinate", body->name);
}
