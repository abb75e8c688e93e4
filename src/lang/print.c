// The syntax tree as text: expressions with full brackets, statements one a line. What is printed
// reads back as the same tree.
#include "lang/lang.h"

#include <assert.h>
#include <string.h>

static const char* const signs[] = {
    [LANG_ADD] = "+", [LANG_SUB] = "-",   [LANG_MUL] = "*", [LANG_DIV] = "/",
    [LANG_POW] = "^", [LANG_LT] = "<",    [LANG_LE] = "<=", [LANG_GT] = ">",
    [LANG_GE] = ">=", [LANG_AND] = "and", [LANG_OR] = "or"};

static void print_kids(const lang_node* n, base_text* out)
{
  base_text_add(out, "(");
  for (int i = 0; i < n->n; i++) {
    if (i) base_text_add(out, ", ");
    lang_print_node(n->kid[i], out);
  }
  base_text_add(out, ")");
}

void lang_print_node(const lang_node* n, base_text* out)
{
  switch (n->kind) {
  case LANG_NUMBER:
  case LANG_NAME:
    base_text_add(out, n->text);
    if (n->unit.text) base_text_printf(out, " [%s]", n->unit.text);
    break;
  case LANG_PRIMES:
    lang_print_node(n->kid[0], out);
    for (int i = 0; i < n->primes; i++) base_text_add(out, "'");
    break;
  case LANG_FIELD:
    lang_print_node(n->kid[0], out);
    base_text_printf(out, ".%s", n->text);
    break;
  case LANG_CALL:
    base_text_add(out, n->text);
    print_kids(n, out);
    break;
  case LANG_TUPLE:
    print_kids(n, out);
    break;
  case LANG_NEGATE:
    base_text_add(out, "(-");
    lang_print_node(n->kid[0], out);
    base_text_add(out, ")");
    break;
  case LANG_BINARY:
    base_text_add(out, "(");
    lang_print_node(n->kid[0], out);
    base_text_printf(out, " %s ", signs[n->op]);
    lang_print_node(n->kid[1], out);
    base_text_add(out, ")");
    break;
  }
}

// ---- parts of statements ------------------------------------------------------------------------

// the word before it, then the node; nothing when it is absent
static void node(const char* before, const lang_node* n, base_text* out)
{
  if (!n) return;
  base_text_add(out, before);
  lang_print_node(n, out);
}

static void word(const char* before, lang_word w, base_text* out)
{
  if (w.text) base_text_printf(out, "%s%s", before, w.text);
}

static void quoted(const char* text, base_text* out)
{
  if (text) base_text_printf(out, " \"%s\"", text);
}

static void params(const lang_statement* s, base_text* out)
{
  for (int i = 0; i < s->params; i++) {
    const lang_param* x = &s->param[i];
    word(i ? ", " : " ", x->name, out);
    node(" = ", x->value, out);
    if (x->unit.text) base_text_printf(out, " [%s]", x->unit.text);
    quoted(x->note, out);
  }
}

// state z [m] = 0: the unit stands first
static void states(const lang_statement* s, base_text* out)
{
  for (int i = 0; i < s->params; i++) {
    const lang_param* x = &s->param[i];
    word(i ? ", " : " ", x->name, out);
    if (x->unit.text) base_text_printf(out, " [%s]", x->unit.text);
    node(" = ", x->value, out);
    quoted(x->note, out);
  }
}

static void rotations(const char* before, const lang_statement* s, base_text* out)
{
  for (int i = 0; i < s->rotations; i++) {
    const lang_rotation* r = &s->rotation[i];
    base_text_add(out, i ? " " : before);
    if (r->axis == 'q') {
      word("by ", r->by, out);
    } else if (r->axis == 'a') {
      node("about ", r->about, out);
      node(" by ", r->angle, out);
    } else {
      base_text_printf(out, "%c(", r->axis);
      lang_print_node(r->angle, out);
      base_text_add(out, ")");
    }
  }
}

static void names(const char* before, int n, const lang_word* words, base_text* out)
{
  for (int i = 0; i < n; i++) word(i ? ", " : before, words[i], out);
  if (n) base_text_add(out, ";");
}

static void block(const lang_block* b, base_text* out)
{
  base_text_add(out, " {");
  for (int i = 0; i < b->sets; i++) {
    // a change at once does not share the duration of what follows
    const bool apart = i && b->set[i].over && !b->set[i - 1].over;
    node(apart ? "; set " : i ? ", " : " set ", b->set[i].target, out);
    node(" = ", b->set[i].value, out);
    if (!b->set[i].shares) node(" over ", b->set[i].over, out);
  }
  if (b->sets) base_text_add(out, ";");
  if (b->carry.text) base_text_printf(out, " carry %s;", b->carry.text);
  names(" release ", b->releases, b->release, out);
  names(" impose ", b->imposes, b->impose, out);
  node(" until ", b->until, out);
  base_text_add(out, " }");
}

// ---- statements ---------------------------------------------------------------------------------

static void relation(const lang_statement* s, base_text* out)
{
  if (s->kind == LANG_INITIAL && s->shape.text) {
    word(" ", s->shape, out);
    return;
  }
  static const char* const between[] = {[LANG_EQUAL] = " = ",
                                        [LANG_AT_LEAST] = " >= ",
                                        [LANG_AT_MOST] = " <= ",
                                        [LANG_GUESS] = " ~ "};
  node(" ", s->left, out);
  node(between[s->relation], s->right, out);
  rotations(between[s->relation], s, out);
}

static void constraint(const lang_statement* s, base_text* out)
{
  if (s->name.text) base_text_printf(out, " %s:", s->name.text);
  relation(s, out);
  node(" with restitution ", s->restitution, out);
  word(" ", s->impact_law, out);
  node(" with friction ", s->friction, out);
  word(" along ", s->slip[0], out);
  word(", ", s->slip[1], out);
  word(" by ", s->by, out);
  word(" while ", s->during, out);
}

static void event(const lang_statement* s, base_text* out)
{
  base_text_printf(out, " %s:", s->name.text);
  node(" ", s->value, out);
  if (!s->value) relation(s, out);
  word(" ", s->direction, out);
  if (s->action.text)
    word(" ", s->action, out);
  else
    block(&s->block, out);
}

static void contact(const lang_statement* s, base_text* out)
{
  word(" ", s->name, out);
  node(" as ", s->left, out);
  word(" on ", s->on, out);
  node(" as ", s->right, out);
  word(" ", s->direction, out);
  word(" at ", s->by, out);
  static const char* const words[LANG_RUBS][2] = {
      {" with friction ", " with viscous friction "},
      {" with rolling friction ", " with viscous rolling friction "},
      {" with pivoting friction ", " with viscous pivoting friction "}};
  for (int i = 0; i < LANG_RUBS; i++)
    for (int k = 0; k < 2; k++) {
      node(words[i][k], s->rub[i][k], out);
      if (i != LANG_RUB_SLIP || k) continue;
      node(" over radius ", s->patch, out);
      word(" ", s->pressure, out);
      word(" ", s->rational, out);
    }
  node(" with restitution ", s->restitution, out);
  word(" ", s->impact_law, out);
  word(" with ", s->pull, out);
  word(" without ", s->rubber, out);
}

static void solids(const lang_statement* s, base_text* out)
{
  base_text_printf(out, " %s:", s->name.text);
  for (int i = 0; i < s->solids; i++) {
    const lang_solid* x = &s->solid[i];
    word(s->kind == LANG_CONTACTS ? i ? " and " : " among " : i ? ", " : " ", x->name, out);
    word(" as ", x->shape, out);
    for (int k = 0; k < x->sizes; k++) {
      const bool several = x->size[k]->kind == LANG_TUPLE;
      node(several ? " " : " (", x->size[k], out);
      if (!several) base_text_add(out, ")");
    }
    quoted(x->file, out);
  }
  node(" with restitution ", s->restitution, out);
  word(" ", s->impact_law, out);
  node(" with friction ", s->friction, out);
  node(" with rolling friction ", s->rub[LANG_RUB_ROLLING][0], out);
  node(" with pivoting friction ", s->rub[LANG_RUB_PIVOTING][0], out);
}

static void plot(const lang_statement* s, base_text* out)
{
  for (int i = 0; i < s->curves; i++) node(i ? ", " : " ", s->curve[i], out);
  node(" : ", s->against, out);
  word(" at ", s->on, out);
  quoted(s->text, out);
}

static void spring(const lang_statement* s, base_text* out)
{
  base_text_printf(out, " %s:", s->name.text);
  node(" from ", s->from, out);
  node(" to ", s->to, out);
  word(" on ", s->on, out);
  node(" stiffness ", s->stiffness, out);
  node(s->kind == LANG_TORSION ? " angle " : " length ", s->natural, out);
  node(" damping ", s->damping, out);
  node(" preload ", s->preload, out);
  node(" = ", s->value, out);
}

static void joint(const lang_statement* s, base_text* out)
{
  const bool guided = s->direction.text; // on a curve or surface that is named as such
  base_text_printf(out, " %s: %s", s->name.text, s->shape.text);
  for (int i = 0; i < 2; i++) {
    if (i && guided) word(" on ", s->direction, out);
    if (i && guided) node(" ", s->left, out);
    word(!i ? " " : guided ? " of " : " on ", s->end[i].body, out);
    node(" at ", s->end[i].at, out);
    node(" axis ", s->end[i].axis, out);
    node(" normal ", s->end[i].normal, out);
  }
  node(" pitch ", s->pitch, out);
  node(" length ", s->natural, out);
  if (!guided) node(" as ", s->left, out);
  if (s->closes) base_text_add(out, " as constraint");
  node(" with friction ", s->friction, out);
}

static void surface(const lang_statement* s, base_text* out)
{
  if (s->kind == LANG_SURFACE) base_text_add(out, s->params == 1 ? "curve" : "surface");
  word(" ", s->name, out);
  for (int i = 0; i < s->params; i++) word(i ? ", " : "(", s->param[i].name, out);
  base_text_add(out, ")");
  node(" = ", s->value, out);
}

static void table(const lang_statement* s, base_text* out)
{
  const lang_table* t = s->table;
  word(" ", s->name, out);
  for (int i = 0; i < s->params; i++) {
    word(i ? ", " : "(", s->param[i].name, out);
    if (s->param[i].unit.text) base_text_printf(out, " [%s]", s->param[i].unit.text);
  }
  base_text_add(out, ") =");
  for (int i = 0; i < t->rows; i++) node(i ? ", " : " ", t->row[i], out);
  quoted(t->file, out);
  if (t->column) base_text_add(out, " column");
  quoted(t->column, out);
  if (t->unit.text) base_text_printf(out, " [%s]", t->unit.text);
  word(" ", t->way, out);
  word(" outside ", t->outside, out);
}

// a body, point, force, picture: the clauses that are there
static void solid_body(const lang_statement* s, base_text* out)
{
  const bool box = strcmp(s->shape.text, "box") == 0;
  base_text_add(out, s->mesh ? "body" : s->shape.text);
  word(" ", s->name, out);
  if (s->mesh) base_text_add(out, " mesh");
  if (s->mesh) quoted(s->mesh->file, out);
  node(" mass ", s->mass, out);
  node(" density ", s->density, out);
  node(" scale ", s->scale, out);
  node(" radius ", s->radius, out);
  node(" length ", s->natural, out);
  node(box ? " size " : " axis ", s->vector, out);
  node(" at ", s->at, out);
  word(" in ", s->in, out);
}

static void bushing(const lang_statement* s, base_text* out)
{
  base_text_printf(out, " %s:", s->name.text);
  for (int i = 0; i < 2; i++) {
    word(i ? " on " : " ", s->end[i].body, out);
    node(" at ", s->end[i].at, out);
  }
  node(" stiffness ", s->stiffness, out);
  node(" turning ", s->turning[0], out);
  node(" damping ", s->damping, out);
  node(" turning damping ", s->turning[1], out);
}

static void clauses(const lang_statement* s, base_text* out)
{
  word(" ", s->name, out);
  word(" ", s->shape, out);
  node(" mass ", s->mass, out);
  node(" density ", s->density, out);
  node(" radius ", s->radius, out);
  node(s->kind == LANG_BODY   ? " inertia "
       : s->kind == LANG_DISC ? " normal "
                              : " ",
       s->vector, out);
  node(" about ", s->about, out);
  if (s->kind == LANG_FRAME) word(" = ", s->in, out);
  node(s->name.text ? " = " : " ", s->value, out);
  node(" from ", s->from, out);
  node(" to ", s->to, out);
  for (int i = 0; i < 3; i++) node(i ? " " : " corners ", s->corner[i], out);
  node(" at ", s->at, out);
  rotations(" rotated ", s, out);
  if (s->kind != LANG_FRAME) word(" in ", s->in, out);
  word(" on ", s->on, out);
}

static void resist(const lang_statement* s, base_text* out)
{
  word(" ", s->name, out);
  node(" = ", s->value, out);
  word(" along ", s->by, out);
}

// or a stage, which has no times
static void sample(const lang_statement* s, base_text* out)
{
  word(" ", s->name, out);
  node(" every ", s->to, out);
  node(" from ", s->from, out);
  block(&s->block, out);
}

static void title(const lang_statement* s, base_text* out)
{
  quoted(s->text, out);
}

static void run(const lang_statement* s, base_text* out)
{
  node(" ", s->from, out);
  node(" .. ", s->to, out);
}

static const struct
{
  const char* word;
  void (*print)(const lang_statement* s, base_text* out);
} printers[] = {
    [LANG_MODEL] = {"model", title},
    [LANG_PARAM] = {"param", params},
    [LANG_COORD] = {"coord", params},
    [LANG_ORIENTATION] = {"orientation", params},
    [LANG_LET] = {"let", clauses},
    [LANG_FRAME] = {"frame", clauses},
    [LANG_POINT] = {"point", clauses},
    [LANG_PARTICLE] = {"particle", clauses},
    [LANG_BODY] = {"body", clauses},
    [LANG_ROD] = {"rod", clauses},
    [LANG_PLATE] = {"plate", clauses},
    [LANG_DISC] = {"disc", clauses},
    [LANG_SOLID_BODY] = {"", solid_body},
    [LANG_BALL] = {"ball", clauses},
    [LANG_KINETIC] = {"kinetic", clauses},
    [LANG_POTENTIAL] = {"potential", clauses},
    [LANG_GRAVITY] = {"gravity", clauses},
    [LANG_FORCE] = {"force", clauses},
    [LANG_TORQUE] = {"torque", clauses},
    [LANG_SPRING] = {"spring", spring},
    [LANG_PULL] = {"pull", spring},
    [LANG_TORSION] = {"torsion", spring},
    [LANG_BUSHING] = {"bushing", bushing},
    [LANG_FUNCTION] = {"function", surface},
    [LANG_STATE] = {"state", states},
    [LANG_RATE] = {"rate", clauses},
    [LANG_MEMORY] = {"memory", states},
    [LANG_INPUT] = {"input", states},
    [LANG_SAMPLE] = {"sample", sample},
    [LANG_TABLE] = {"table", table},
    [LANG_JOINT] = {"joint", joint},
    [LANG_CONSTRAINT] = {"constraint", constraint},
    [LANG_RESIST] = {"resist", resist},
    [LANG_QUASI] = {"quasi", clauses},
    [LANG_SURFACE] = {"", surface},
    [LANG_ROLL] = {"roll", contact},
    [LANG_SLIDE] = {"slide", contact},
    [LANG_CONTACT] = {"contact", solids},
    [LANG_CONTACTS] = {"contacts", solids},
    [LANG_INITIAL] = {"initial", relation},
    [LANG_STAGE] = {"stage", sample},
    [LANG_EVENT] = {"event", event},
    [LANG_OUTPUT] = {"output", clauses},
    [LANG_INTEGRAL] = {"integral", clauses},
    [LANG_RUN] = {"run", run},
    [LANG_TOLERANCE] = {"tolerance", clauses},
    [LANG_METHOD] = {"method", clauses},
    [LANG_BEYOND] = {"beyond paradox:", clauses},
    [LANG_PLOT] = {"plot", plot},
    [LANG_SHOW] = {"show", clauses},
    [LANG_TRACE] = {"trace", clauses},
};

void lang_print_tree(const lang_tree* t, base_text* out)
{
  for (int i = 0; i < t->count; i++) {
    const lang_statement* s = t->at[i];
    assert((size_t)s->kind < sizeof printers / sizeof *printers);
    base_text_add(out, printers[s->kind].word);
    printers[s->kind].print(s, out);
    base_text_add(out, "\n");
  }
}
