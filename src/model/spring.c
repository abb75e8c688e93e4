// Forces between two places, along the line that joins them: springs and pulls.
//   l = |PQ|,  spring: V = k/2 (l - L)^2 + F l, and the damper pulls with c l';  pull: as written.
// A tension T > 0 draws the ends together: Q_i = -T dl'/dq_i'.
// NAME.length, NAME.rate, NAME.force, NAME.energy are names like those of `let`.

#include "model/parts.h"

enum { LENGTH, RATE, FORCE, ENERGY, PARTS };
static const char* const part_name[PARTS] = {"length", "rate", "force", "energy"};

void model_spring_declare(model_scope* s, model_entry* e)
{
  e->state = MODEL_DONE;
  for (int i = 0; i < PARTS; i++) {
    const char* name = base_arena_printf(s->arena, "%s.%s", e->name, part_name[i]);
    if (model_names_find(&s->names, name)) continue;
    model_entry* x = model_scope_new_entry(s, MODEL_IS_LET, name, e->place);
    x->statement = e->statement;
    x->made = true;
    x->part = i;
    model_names_add(&s->names, x);
  }
}

static model_entry* find_part(const model_scope* s, const lang_statement* st, int part)
{
  base_text name = {0};
  base_text_printf(&name, "%s.%s", st->name.text, part_name[part]);
  model_entry* e = model_names_find(&s->names, name.at);
  base_text_free(&name);
  return e;
}

model_entry* model_spring_energy(const model_scope* s, const lang_statement* st)
{
  return find_part(s, st, ENERGY);
}

// The rate needs the length, which needs the places; the force needs the rate and, so that what is
// wrong with the law is said once, the energy.
int model_spring_needs(const model_scope* s, const model_entry* e, const lang_node* node[6],
                       model_entry* part[2])
{
  const lang_statement* st = e->statement;
  const bool pulls = st->kind == LANG_PULL;
  int nodes = 0;
  part[0] = e->part == LENGTH ? NULL : find_part(s, st, e->part == FORCE ? RATE : LENGTH);
  part[1] = e->part == FORCE ? find_part(s, st, ENERGY) : NULL;
  node[nodes++] = st->from;
  node[nodes++] = st->to;
  if (st->kind == LANG_BUSHING) {
    node[nodes++] = st->stiffness;
    node[nodes++] = st->damping;
    node[nodes++] = st->turning[0];
    node[nodes++] = st->turning[1];
    return nodes;
  }
  if (e->part == FORCE) node[nodes++] = pulls ? st->value : st->damping;
  if (e->part != ENERGY || pulls) return nodes;
  node[nodes++] = st->stiffness;
  node[nodes++] = st->natural;
  node[nodes++] = st->preload;
  return nodes;
}

// ---- length and its rate ------------------------------------------------------------------------

// the unit of its places, where they have one
static model_dim length_of(model_scope* s, const lang_node* n)
{
  const model_value v = model_eval(s, n);
  if (v.kind == MODEL_THING) return v.thing->length;
  for (int i = 0; i < 3 && v.kind == MODEL_VECTOR; i++)
    if (v.d[i].kind == MODEL_DIM_KNOWN) return v.d[i];
  return model_dim_unknown();
}

// the square of the distance; false with errors noted
static bool distance(model_scope* s, const lang_statement* st, const model_place* ends[2],
                     expr* square, model_dim* d)
{
  expr apart[3];
  const bool fine = model_eval_place(s, st->from, &ends[0]);
  if (!model_eval_place(s, st->to, &ends[1]) || !fine) return false;
  model_place_between(&s->kin, ends[0], ends[1], NULL, apart);
  *square = model_simpler(s, model_vec_dot(s->pool, apart, apart));
  *d = length_of(s, st->from);
  if (d->kind != MODEL_DIM_KNOWN) *d = length_of(s, st->to);
  if (*square != expr_int(s->pool, 0)) return true;
  base_error(s->notes, st->place, "`%s` begins and ends at one place", st->name.text);
  return false;
}

static bool geometry(model_scope* s, model_entry* length)
{
  expr square;
  model_dim d;
  if (length->statement->kind == LANG_BUSHING) {
    if (!model_bushing_length(s, length->statement, &square)) return false;
    length->value = model_value_scalar(square, model_dim_of(1, 0, 0));
    return true;
  }
  if (!distance(s, length->statement, length->ends, &square, &d)) return false;
  length->value = model_value_scalar(expr_fn1(s->pool, EXPR_SQRT, square), d);
  return true;
}

// the angle of a joint in the place of a length
static bool angle_of(model_scope* s, model_entry* angle)
{
  const lang_word joint = angle->statement->on;
  base_text name = {0};
  base_text_printf(&name, "%s.angle", joint.text);
  const model_entry* x = model_names_find(&s->names, name.at);
  base_text_free(&name);
  if (x && x->sort == MODEL_IS_COORD) {
    angle->value = x->value;
    return true;
  }
  base_error(s->notes, joint.place, "a torsion spring acts on a joint with an angle, `%s` has none",
             joint.text);
  base_help(s->notes, "hinges, screws, cylindrical and planar joints that place a body have one");
  return false;
}

static model_value rate_of(model_scope* s, const model_entry* length)
{
  return model_value_scalar(expr_total(s->pool, length->value.e[0]),
                            model_dim_rate(length->value.d[0], 1));
}

// ---- laws ---------------------------------------------------------------------------------------

enum {
  NEVER_IN_LAW = MODEL_USES_ACCELERATION | MODEL_USES_JERK,
  // a stiffness that the motion changes would not belong to an energy
  NEVER_IN_SPRING = MODEL_USES_STATE | MODEL_USES_JERK | MODEL_USES_RATE,
};

// one clause; zero where it is absent
static bool clause(model_scope* s, const lang_node* n, const char* what, model_dim wanted,
                   int forbidden, expr* out)
{
  model_dim d;
  *out = expr_int(s->pool, 0);
  return !n || (model_eval_scalar(s, n, what, out, &d) && model_expect_dim(s, n, d, wanted, what) &&
                model_expect_free(s, n, *out, forbidden, what));
}

static model_dim damping_dim(const lang_statement* st)
{
  return model_dim_of(st->kind == LANG_TORSION ? 2 : 0, 1, -1);
}

static expr half(expr_pool* p, expr k, expr square)
{
  return expr_div(p, expr_mul(p, k, square), expr_int(p, 2));
}

static bool stiffness(model_scope* s, const lang_statement* st, expr* k, expr* natural, expr* F)
{
  const bool turns = st->kind == LANG_TORSION;
  bool fine = clause(s, st->stiffness, "a stiffness", model_dim_of(turns ? 2 : 0, 1, -2),
                     NEVER_IN_SPRING, k);
  fine &= clause(s, st->natural, turns ? "an angle" : "a natural length",
                 model_dim_of(turns ? 0 : 1, 0, 0), NEVER_IN_SPRING, natural);
  fine &= clause(s, st->preload, "a preload", model_dim_of(1, 1, -2), NEVER_IN_SPRING, F);
  return fine;
}

// without a length of its own the energy has no root in it, and is smooth where the ends meet
static bool energy(model_scope* s, const lang_statement* st, expr length, expr* out)
{
  expr_pool* p = s->pool;
  expr k, natural, F;
  *out = expr_int(p, 0);
  if (st->kind == LANG_PULL) return true;
  if (st->kind == LANG_BUSHING) return model_bushing_energy(s, st, out);
  if (!stiffness(s, st, &k, &natural, &F)) return false;
  const expr beyond = expr_sub(p, length, natural);
  *out = expr_add(p, half(p, k, expr_mul(p, beyond, beyond)), expr_mul(p, F, length));
  return true;
}

static bool tension(model_scope* s, const lang_statement* st, expr rate, expr* out)
{
  expr_pool* p = s->pool;
  expr k, natural, F, damping;
  if (st->kind == LANG_BUSHING) return model_bushing_force(s, st, out);
  if (st->kind == LANG_PULL)
    return clause(s, st->value, "a pull", model_dim_of(1, 1, -2), NEVER_IN_LAW, out);
  if (!stiffness(s, st, &k, &natural, &F) ||
      !clause(s, st->damping, "a damping", damping_dim(st), NEVER_IN_LAW, &damping))
    return false;
  const expr length = find_part(s, st, LENGTH)->value.e[0];
  const expr part[3] = {expr_mul(p, k, expr_sub(p, length, natural)), expr_mul(p, damping, rate),
                        F};
  *out = expr_sum(p, 3, part);
  return true;
}

void model_spring_resolve(model_scope* s, model_entry* e)
{
  const lang_statement* st = e->statement;
  const lang_node* node[6];
  model_entry* part[2];
  expr value = expr_int(s->pool, 0);
  model_spring_needs(s, e, node, part);
  e->poisoned = true;
  // what is wrong there was said of them
  for (int i = 0; i < 2; i++)
    if (part[i] && part[i]->poisoned) return;
  const bool turns = st->kind == LANG_TORSION;
  if (e->part == LENGTH && !(turns ? angle_of(s, e) : geometry(s, e))) return;
  if (e->part == RATE) e->value = rate_of(s, part[0]);
  if (e->part == ENERGY && !energy(s, st, part[0]->value.e[0], &value)) return;
  if (e->part == FORCE && !tension(s, st, part[0]->value.e[0], &value)) return;
  if (e->part == ENERGY) e->value = model_value_scalar(value, model_dim_of(2, 1, -2));
  if (e->part == FORCE) e->value = model_value_scalar(value, model_dim_of(turns ? 2 : 1, 1, -2));
  e->poisoned = false;
}

// what acts beside the energy
bool model_spring_pull(model_scope* s, const lang_statement* st, expr* pull, expr* rate)
{
  const model_entry *force = find_part(s, st, FORCE), *speed = find_part(s, st, RATE);
  if (!force || force->poisoned || !speed || speed->poisoned) return false;
  *rate = speed->value.e[0];
  *pull = force->value.e[0];
  if (st->kind == LANG_PULL) return true;
  expr damping;
  if (!st->damping || !clause(s, st->damping, "a damping", damping_dim(st), NEVER_IN_LAW, &damping))
    return false;
  *pull = expr_mul(s->pool, damping, *rate);
  return true;
}
