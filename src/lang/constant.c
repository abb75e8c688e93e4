// Whole numbers known before the model has a meaning: bounds of repetitions and indices, made of
// numbers, indices and params.
#include "lang/reader.h"
#include "lang/repeat.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_deep = 64 };
// beyond it doubles no longer hold every whole number
static const double largest = 9007199254740992;

static int compare(const void* a, const void* b)
{
  return strcmp(((const lang_constant*)a)->name, ((const lang_constant*)b)->name);
}

lang_constant* lang_constants_find(const lang_constants* c, const char* name)
{
  const lang_constant key = {.name = name};
  return c->n ? bsearch(&key, c->at, (size_t)c->n, sizeof key, compare) : NULL;
}

static void mark_changing(const lang_constants* c, const lang_block* b)
{
  for (int i = 0; i < b->sets; i++) {
    const lang_node* target = b->set[i].target;
    lang_constant* x =
        target && target->kind == LANG_NAME ? lang_constants_find(c, target->text) : NULL;
    if (x) x->changes = true;
  }
}

lang_constants lang_constants_collect(lang_statement* const* list, int n, base_arena* arena)
{
  lang_constants c = {0};
  for (int i = 0; i < n; i++)
    if (list[i]->kind == LANG_PARAM) c.n += list[i]->params;
  c.at = base_arena_take(arena, sizeof *c.at * (size_t)(c.n + 1));
  c.n = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; list[i]->kind == LANG_PARAM && j < list[i]->params; j++) {
      const lang_param* x = &list[i]->param[j];
      if (x->name.text)
        c.at[c.n++] =
            (lang_constant){.name = x->name.text, .value = x->value, .has_unit = x->unit.text};
    }
  if (c.n) qsort(c.at, (size_t)c.n, sizeof *c.at, compare);
  for (int i = 0; i < n; i++)
    if (list[i]->kind == LANG_STAGE || list[i]->kind == LANG_EVENT)
      mark_changing(&c, &list[i]->block);
  return c;
}

// ---- values -------------------------------------------------------------------------------------

static bool refuse(lang_parser* p, base_place place, const char* format, const char* name)
{
  lang_parser_fail(p, place, format, name);
  return false;
}

static bool evaluate(lang_parser* p, const lang_node* n, base_place place, int depth, double* out);

static bool param_value(lang_parser* p, const char* name, base_place place, int depth, double* out)
{
  lang_constant* x = p->reader ? lang_constants_find(&p->reader->constants, name) : NULL;
  if (!x) {
    if (lang_parser_fail(p, place, "`%s` is no param, so it has no whole number here", name))
      base_help(p->notes, "indices and their bounds are made of numbers, params and indices; "
                          "params of a repetition are not among them");
    return false;
  }
  if (x->changes)
    return refuse(p, place, "`%s` changes during the motion: it cannot count repetitions", name);
  if (x->has_unit)
    return refuse(p, place, "`%s` has a unit: a number of repetitions has none", name);
  if (!x->value || depth > most_deep)
    return refuse(p, place, "`%s` has no value that is known before the model is read", name);
  x->counts = true;
  return evaluate(p, x->value, place, depth + 1, out);
}

static bool apply(lang_op op, double a, double b, double* out)
{
  switch (op) {
  case LANG_ADD:
    *out = a + b;
    return true;
  case LANG_SUB:
    *out = a - b;
    return true;
  case LANG_MUL:
    *out = a * b;
    return true;
  case LANG_DIV:
    *out = a / b;
    return true;
  case LANG_POW:
    *out = pow(a, b);
    return true;
  default:
    return false;
  }
}

static bool call(lang_parser* p, const lang_node* n, base_place place, int depth, double* out)
{
  double a = 0, b = 0;
  if (n->n == 2 && (strcmp(n->text, "min") == 0 || strcmp(n->text, "max") == 0)) {
    if (!evaluate(p, n->kid[0], place, depth + 1, &a)) return false;
    if (!evaluate(p, n->kid[1], place, depth + 1, &b)) return false;
    *out = n->text[1] == 'i' ? fmin(a, b) : fmax(a, b);
    return true;
  }
  if (n->n == 1 && strcmp(n->text, "abs") == 0) {
    if (!evaluate(p, n->kid[0], place, depth + 1, &a)) return false;
    *out = fabs(a);
    return true;
  }
  return refuse(p, place, "`%s` cannot be used to count: only + - * / ^ min max abs can", n->text);
}

// `place` is shown: that of the bound, also where a param it uses is meant
static bool evaluate(lang_parser* p, const lang_node* n, base_place place, int depth, double* out)
{
  if (depth > p->limits->nesting + most_deep) return refuse(p, place, "%s", "this is too deep");
  double a, b;
  switch (n->kind) {
  case LANG_NUMBER:
    if (n->unit.text) return refuse(p, place, "%s", "what counts is a number without a unit");
    *out = strtod(n->text, NULL);
    return true;
  case LANG_NAME:
    return param_value(p, n->text, place, depth, out);
  case LANG_NEGATE:
    if (!evaluate(p, n->kid[0], place, depth + 1, &a)) return false;
    *out = -a;
    return true;
  case LANG_BINARY:
    if (!evaluate(p, n->kid[0], place, depth + 1, &a)) return false;
    if (!evaluate(p, n->kid[1], place, depth + 1, &b)) return false;
    if (apply(n->op, a, b, out)) return true;
    break;
  case LANG_CALL:
    return call(p, n, place, depth, out);
  default:
    break;
  }
  return refuse(p, place, "%s", "only numbers, params and indices can count");
}

bool lang_constant_whole(lang_parser* p, const lang_node* n, const char* what, long* value)
{
  double x;
  if (!n || lang_parser_failed(p) || !evaluate(p, n, n->place, 0, &x)) return false;
  const double near = nearbyint(x);
  if (fabs(x) > largest) {
    lang_parser_fail(p, n->place, "%s of %.10g is too large to count with", what, x);
    return false;
  }
  if (isnan(x) || fabs(x - near) > 1e-9 * fmax(1, fabs(x))) {
    lang_parser_fail(p, n->place, "%s must be a whole number, this is %.10g", what, x);
    return false;
  }
  *value = (long)near;
  return true;
}

void lang_constants_add(lang_reader* r, const lang_param* x)
{
  lang_constant one = {.name = x->name.text, .value = x->value, .has_unit = x->unit.text};
  for (int i = 0; i < r->given.n; i++)
    if (strcmp(r->given.at[i].name, one.name) == 0) one.value = r->given.at[i].value;
  lang_constant* more = base_arena_take(r->arena, sizeof *more * (size_t)(r->constants.n + 1));
  if (r->constants.n) memcpy(more, r->constants.at, sizeof *more * (size_t)r->constants.n);
  more[r->constants.n++] = one;
  r->constants.at = more;
  qsort(more, (size_t)r->constants.n, sizeof *more, compare);
}
