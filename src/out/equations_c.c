// The equations of motion as a C99 file that needs <math.h> only.
//
// Whatever the form, the accelerations are those of the one problem under all forms,
//   M a = F(lambda, sigma) + A^T lambda,   A a = c,
// so that is what the file solves: its terms come from the tapes that zwang itself evaluates, to
// the same bits when compiled without contraction (exported_terms.c); what holds of inequalities,
// friction and forces that jump is decided by trying all cases (exported_motion.inc), and events
// are assignments (exported_events.inc). What it cannot decide it tells by a code.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code/code.h"
#include "out/equations.h"
#include "out/exported.h"
#include "out/text.h"

typedef struct emitter
{
  const mech_system* s;
  base_text* out;
  out_exported x;
} emitter;

// the words of the user inside a C comment: they must not end it
static void add_comment_words(base_text* out, const char* words)
{
  base_text clean = {0};
  out_text_plain(&clean, words);
  for (char* c = clean.at; *c; c++)
    if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*') ||
        (c[0] == '?' && c[1] == '?'))
      c[1] = ' ';
  base_text_add(out, clean.at);
  base_text_free(&clean);
}

static void add_order(emitter* e)
{
  const model* m = e->s->model;
  base_text* out = e->out;
  base_text_add(out, "/* order of q, v and a:\n");
  for (int i = 0; i < m->coords; i++) {
    base_text_printf(out, "     %d  ", i);
    add_comment_words(out, m->coord[i].name);
    if (m->coord[i].unit[0]) {
      base_text_add(out, " [");
      add_comment_words(out, m->coord[i].unit);
      base_text_add(out, "]");
    }
    if (i >= m->places)
      base_text_add(out, ", a state: v is its value, a its rate, q not asked for");
    base_text_add(out, "\n");
  }
  if (e->s->m > 0) base_text_add(out, "   order of lambda:\n");
  for (int k = 0; k < e->s->m; k++) {
    base_text_printf(out, "     %d  ", k);
    add_comment_words(out, m->constraint[k].name);
    base_text_add(out, "\n");
  }
  base_text_add(out, "*/\n\n");
}

static void add_real(base_text* out, double x)
{
  if (isnan(x))
    base_text_add(out, "NAN");
  else if (isinf(x))
    base_text_add(out, x > 0 ? "INFINITY" : "-INFINITY");
  else
    base_text_printf(out, "%.17g", x);
}

// what was some time ago, and results of contacts that steps alone know, have to be given
static double default_of(const emitter* e, int i)
{
  const model* m = e->s->model;
  for (int k = 0; k < m->tells; k++)
    if (m->tell[k].symbol == e->x.input[i]) return NAN;
  for (int k = 0; k < m->delays; k++)
    if (i < m->params ? m->delay[k].param == i
                      : m->delay[k].rate == e->x.input[i] || m->delay[k].rate2 == e->x.input[i])
      return NAN;
  return i < m->params ? m->param[i].number : 0;
}

static void add_params(emitter* e)
{
  const model* m = e->s->model;
  base_text* out = e->out;
  base_text_add(out, "/* order of param, and the values taken when param is a null pointer */\n");
  base_text_printf(out, "static const double param_default[%d] = {\n",
                   e->x.inputs > 0 ? e->x.inputs : 1);
  if (e->x.inputs == 0) base_text_add(out, "  0 /* there are none */\n");
  for (int i = 0; i < e->x.inputs; i++) {
    base_text_add(out, "  ");
    add_real(out, default_of(e, i));
    base_text_printf(out, "%s /* %d  ", i + 1 < e->x.inputs ? "," : "", i);
    add_comment_words(out, expr_name(e->s->pool, e->x.input[i]));
    if (i < m->params && m->param[i].unit[0]) {
      base_text_add(out, " [");
      add_comment_words(out, m->param[i].unit);
      base_text_add(out, "]");
    }
    if (i < m->params && m->param[i].note && m->param[i].note[0]) {
      base_text_add(out, "  ");
      add_comment_words(out, m->param[i].note);
    }
    base_text_add(out, " */\n");
  }
  base_text_add(out, "};\n\n");
}

// ---- tables -------------------------------------------------------------------------------------

static void add_ints(emitter* e, const char* name, int count, const int* list)
{
  base_text_printf(e->out, "static const int %s[%d] = {", name, count + 1);
  for (int i = 0; i < count; i++) base_text_printf(e->out, "%d, ", list[i]);
  base_text_add(e->out, "0};\n");
}

static void add_flags(emitter* e, const char* name, int count, const bool* list)
{
  base_text_printf(e->out, "static const int %s[%d] = {", name, count + 1);
  for (int i = 0; i < count; i++) base_text_printf(e->out, "%d, ", list[i]);
  base_text_add(e->out, "0};\n");
}

static void add_pairs(emitter* e)
{
  const out_exported* x = &e->x;
  const int count = x->pairs.n;
  int* list = base_arena_take(x->arena, sizeof *list * (size_t)(3 * count + 1));
  base_text_add(e->out, "/* friction of contacts: the constraint that presses, and those that hold "
                        "it at rest */\n");
  for (int i = 0; i < count; i++) list[i] = x->pairs.at[i].normal;
  add_ints(e, "pair_normal", count, list);
  for (int i = 0; i < count; i++) list[i] = x->pairs.at[i].rows;
  add_ints(e, "pair_rows", count, list);
  for (int i = 0; i < 3 * count; i++) list[i] = x->pairs.at[i / 3].row[i % 3];
  add_ints(e, "pair_row", 3 * count, list);
}

static void add_tables(emitter* e)
{
  const out_exported* x = &e->x;
  const int m = e->s->m;
  base_text_add(e->out,
                "/* of each constraint: 1 for >=, -1 for <=; its order; that while which it "
                "holds; its friction */\n");
  add_ints(e, "sense", m, x->sense);
  add_ints(e, "order", m, x->order);
  add_ints(e, "during", m, x->during);
  add_ints(e, "friction_of", m, x->friction_of);
  base_text_add(e->out, "/* its reaction acts along it; it leads a control; forces bend with that; "
                        "it holds at first; "
                        "Newton's law of impact */\n");
  add_flags(e, "ideal", m, x->ideal);
  add_flags(e, "leads", m, x->leads);
  add_flags(e, "reactive", m, x->reactive);
  add_flags(e, "hold_default", m, x->starts);
  add_flags(e, "impact_simple", m, x->bounces);
  add_pairs(e);
  int* vector = base_arena_take(x->arena, sizeof *vector * (size_t)(e->s->n + 1));
  for (int i = 0; i < e->s->n; i++) vector[i] = e->s->model->coord[i].vector;
  base_text_add(e->out, "/* coordinates that are parts of one unit vector */\n");
  add_ints(e, "vector_of", e->s->n, vector);
  base_text_add(e->out, "/* of each jump of forces: is it one of velocities? */\n");
  add_flags(e, "jump_slides", x->jumps, x->slides);
  base_text_add(e->out, "\n");
}

// ---- tapes --------------------------------------------------------------------------------------

static void add_tape(emitter* e, const char* name, const char* what, int count, const expr* list)
{
  expr* in;
  const int inputs = out_exported_layout(&e->x, &in);
  code_kernel* k = code_build(e->s->pool, count, list, inputs, in, NULL);
  assert(k);
  base_text_printf(e->out, "/* %s */\n", what);
  code_print_c(k, name, e->out);
  base_text_add(e->out, "\n");
  code_free(k);
}

static void add_lines(base_text* out, const char* const* line)
{
  for (int i = 0; line[i]; i++) base_text_add(out, line[i]);
}

// do they ask for accelerations, reactions, or what holds?
static bool accelerate(const emitter* e, int count, const expr* list)
{
  const model* m = e->s->model;
  for (int i = 0; i < count; i++)
    if (expr_has_any(e->s->pool, list[i], e->s->n, e->s->a) ||
        expr_has_any(e->s->pool, list[i], e->s->m, m->reaction))
      return true;
  return false;
}

static const char declarations[] =
    "/* Accelerations a and reactions lambda at the state t, q, v. param: null for those written "
    "here;\n"
    "   hold: which constraints hold, null for those at the start; lambda may be null.\n"
    "   0 done\n"
    "   1 they are not determined, the constraints contradict each other, or a value is not "
    "finite\n"
    "   2 a force stands at a jump, and what it does there is not decided here\n"
    "   3 an inequality is met with a velocity, or violated: an impact is due before\n"
    "   4 friction gives way in a direction that is not decided here\n"
    "   5 no accelerations obey the laws of contact and friction\n"
    "   6 several do\n"
    "   7 too much is to be decided at once\n"
    "   8 the state is outside of what the model is made for: the range of a table, a surface\n"
    "   9 (impacts and events) what happens is left out here\n"
    "   Whatever is not 0 leaves a and lambda as they were. */\n"
    "int zwang_accelerations(double t, const double* q, const double* v, const double* param, "
    "double* a, double* lambda);\n"
    "int zwang_accelerations_while(double t, const double* q, const double* v, const double* "
    "param, const int* hold,\n"
    "                              double* a, double* lambda);\n"
    "/* q, then v, put back on the constraints, the shortest way */\n"
    "int zwang_project(double t, double* q, double* v, const double* param, const int* hold);\n"
    "/* velocities after the impact with one inequality by its restitution, or after constraints "
    "were imposed */\n"
    "int zwang_impact(double t, const double* q, double* v, const double* param, const int* "
    "hold);\n"
    "/* the functions whose zeros are events and ends of stages; the outputs of the model */\n"
    "int zwang_events(double t, const double* q, const double* v, const double* param, const int* "
    "hold, double* g);\n"
    "int zwang_outputs(double t, const double* q, const double* v, const double* param, const int* "
    "hold, double* y);\n"
    "/* when a sample comes next behind t; INFINITY: event i is none */\n"
    "double zwang_sample_next(int i, double t, const double* q, const double* v, const double* "
    "param);\n"
    "/* what event i sets, and which constraints it switches */\n"
    "int zwang_event_happens(int i, double t, double* q, double* v, double* param, int* hold);\n"
    "/* The reduced form, where all constraints bind velocities alone and hold always (else 9): "
    "the independent\n"
    "   quasi-velocities u, named below, at q, v; and the rates of q and u. */\n"
    "int zwang_speeds(double t, const double* q, const double* v, const double* param, double* "
    "u);\n"
    "int zwang_reduced(double t, const double* q, const double* u, const double* param, double* "
    "dq, double* du);\n"
    "extern const char *const zwang_event_name[], *const zwang_output_name[];\n"
    "extern const int zwang_event_way[], zwang_event_does[];\n\n";

static void add_title(emitter* e, const mech_equations* form)
{
  base_text* out = e->out;
  base_text_add(out, "/* Equations of motion");
  if (e->s->model->title[0]) {
    base_text_add(out, ": ");
    add_comment_words(out, e->s->model->title);
  }
  base_text_printf(
      out,
      "\n   Written by zwang %s; the accelerations are the same for every form of the\n"
      "   equations (%s). */\n#include <math.h>\n\n",
      ZWANG_VERSION, form->form->name);
}

static void add_sizes(emitter* e)
{
  const out_exported* x = &e->x;
  const int n = e->s->n, m = e->s->m;
  base_text_printf(e->out,
                   "enum { COORDS = %d, ROWS = %d, JUMPS = %d, UNKNOWNS = %d, PARAMS = %d };\n"
                   "enum { PAIRS = %d, GUARDS = %d, BRANCHES = %d, COUPLED = %d };\n\n",
                   n, m, x->jumps, n + m + x->jumps, x->inputs, x->pairs.n, x->guards, x->branches,
                   x->coupled);
}

static void add_reduced(emitter* e)
{
  const out_exported* x = &e->x;
  base_text_printf(e->out, "\nenum { SPEEDS = %d };\n", x->speeds);
  for (int i = 0; i < x->speeds; i++) {
    base_text text = {0};
    expr_print(e->s->pool, &text, x->reduced[i]);
    base_text_printf(e->out, "/* u[%d] = ", i);
    add_comment_words(e->out, text.at);
    base_text_add(e->out, " */\n");
    base_text_free(&text);
  }
  add_tape(e, "zwang_speed_terms", "out: u, u' without accelerations, du/dv",
           x->speeds * (e->s->n + 2), x->reduced);
  add_tape(e, "zwang_velocity_terms", "out: v by u", x->speeds ? e->s->n : 0, x->velocity);
  add_lines(e->out, out_exported_quasi);
}

void out_equations_c(const mech_system* s, const mech_equations* form, base_text* out)
{
  emitter e = {.s = s, .out = out};
  base_arena* arena = base_arena_new();
  int terms, levels, results;
  out_exported_make(&e.x, s, arena);
  const expr *term = out_exported_terms(&e.x, &terms), *level = out_exported_levels(&e.x, &levels),
             *result = out_exported_results(&e.x, &results);
  out_exported_inputs(&e.x, terms, term);
  out_exported_inputs(&e.x, levels, level);
  out_exported_inputs(&e.x, results, result);
  out_exported_inputs(&e.x, e.x.speeds ? s->n : 0, e.x.velocity);
  out_exported_inputs(&e.x, e.x.speeds * (s->n + 2), e.x.reduced);
  add_title(&e, form);
  base_text_add(out, declarations);
  add_sizes(&e);
  add_order(&e);
  add_params(&e);
  add_tables(&e);
  add_tape(
      &e, "zwang_terms",
      "in: t, q, v, param, lambda, what holds, sides of jumps (, a); out: M (COORDS rows), F, A (a "
      "row for\n   each constraint), c, dF/dlambda, dF/dside. With -ffp-contract=off "
      "-fno-tree-slp-vectorize gcc\n   gives the bits of zwang itself; with -mfma it is fast.",
      terms, term);
  add_tape(&e, "zwang_levels",
           "out: constraints and their rates, jumps, their slopes and drifts, bounds of friction, "
           "guards, branches,\n   restitutions",
           levels, level);
  add_lines(out, out_exported_motion);
  base_text_printf(out, "\nenum { RESULTS = %d, RESULTS_ACCELERATE = %d };\n", results,
                   accelerate(&e, results, result));
  out_exported_events(&e.x, out);
  add_tape(&e, "zwang_results", "out: events with times of samples, what is set, outputs", results,
           result);
  add_lines(out, out_exported_happenings);
  add_reduced(&e);
  base_list_free(&e.x.pairs);
  base_arena_free(arena);
}

const char* out_equations_c_unsuited(const mech_system* s)
{
  return out_exported_unsuited(s);
}
