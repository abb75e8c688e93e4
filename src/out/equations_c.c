// The equations of motion as a C99 file that needs <math.h> only.
//
// Whatever the form, the accelerations are those of the one problem under all forms,
//   M a - A^T lambda = F,   A a = c,
// so that is what the file solves. M, F, A and c come from the tape that zwang itself evaluates, to
// the same bits when compiled without contraction; the solution by Gaussian elimination with row
// pivoting on the n + m unknowns (a, lambda). A column without a pivot is a reaction that others
// may carry as well: what they may hand one another is taken out, so that lambda is of least norm.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "code/code.h"
#include "out/conditions.h"
#include "out/equations.h"
#include "out/text.h"

typedef struct emitter
{
  const mech_system* s;
  base_arena* arena;
  base_text* out;
  int inputs; // params, then whatever else the expressions hold (rates of params)
  expr* input;
  int jumps; // of forces, at which nothing is decided here
  expr* jump;
} emitter;

static int index_of(int n, const expr* list, expr e)
{
  for (int i = 0; i < n; i++)
    if (list[i] == e) return i;
  return -1;
}

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

// ---- what goes in -------------------------------------------------------------------------------

// all of M, F, A, c in one list, with room for more
static expr* gather(const mech_system* s, base_arena* arena, int more, int* count)
{
  int n = s->n, m = s->m;
  *count = n * n + n + m * n + m;
  expr* all = base_arena_take(arena, (size_t)(*count + more + 1) * sizeof *all);
  expr* at = all;
  memcpy(at, s->M, (size_t)(n * n) * sizeof *at);
  at += n * n;
  memcpy(at, s->F, (size_t)n * sizeof *at);
  at += n;
  if (m > 0) {
    memcpy(at, s->A, (size_t)(m * n) * sizeof *at);
    at += m * n;
    memcpy(at, s->c, (size_t)m * sizeof *at);
  }
  return all;
}

// the params in the order of the model, then every symbol that is neither t nor of the state
static void find_inputs(emitter* e, int count, const expr* all)
{
  const model* m = e->s->model;
  int room = expr_symbols(e->s->pool, count, all, 0, NULL);
  expr* symbol = base_arena_take(e->arena, ((size_t)room + 1) * sizeof *symbol);
  room = expr_symbols(e->s->pool, count, all, room, symbol);
  e->input = base_arena_take(e->arena, (size_t)(m->params + room + 1) * sizeof *e->input);
  for (int i = 0; i < m->params; i++) e->input[e->inputs++] = m->param[i].symbol;
  for (int i = 0; i < room; i++) {
    bool known = symbol[i] == m->t || index_of(e->inputs, e->input, symbol[i]) >= 0;
    for (int k = 0; k < m->coords && !known; k++)
      known = symbol[i] == m->coord[k].q || symbol[i] == m->coord[k].v;
    if (!known) e->input[e->inputs++] = symbol[i];
  }
}

static const char* obstacle(const mech_system* s, int count, const expr* all)
{
  if (s->model->delays) return "they depend on what was some time ago";
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < s->m; k++)
      if (expr_has(s->pool, all[i], s->model->reaction[k]))
        return "the forces depend on the reactions";
    for (int k = 0; k < s->n; k++)
      if (expr_has(s->pool, all[i], s->model->coord[k].a))
        return "a constraint is not linear in the accelerations";
  }
  return expr_pool_full(s->pool) ? "the expressions are larger than the limit" : NULL;
}

const char* out_equations_c_unsuited(const mech_system* s)
{
  base_arena* arena = base_arena_new();
  int count;
  const expr* all = gather(s, arena, 0, &count);
  const char* why = obstacle(s, count, all);
  base_arena_free(arena);
  return why;
}

// ---- parts of the file --------------------------------------------------------------------------

// what can let go is held here in both directions
static void add_inequalities(emitter* e)
{
  const mech_system* s = e->s;
  for (int k = 0; k < s->m; k++) {
    const model_constraint* c = &s->model->constraint[k];
    if (!c->sense) continue;
    base_text_add(e->out, "\n   They hold while `");
    add_comment_words(e->out, c->name);
    base_text_printf(e->out, "` is stressed: lambda[%d] %s 0.", k, c->sense > 0 ? ">=" : "<=");
  }
  for (int i = 0; i < s->model->meetings; i++) {
    if (!s->model->meeting[i].looked_for) continue;
    base_text_add(e->out, "\n   The contacts of `");
    add_comment_words(e->out, s->model->meeting[i].name);
    base_text_add(e->out, "` are not in them: they hold while nothing of it touches.");
  }
}

static void add_jumps(emitter* e)
{
  for (int i = 0; i < e->jumps; i++) {
    base_text text = {0};
    expr_print(e->s->pool, &text, e->jump[i]);
    base_text_add(e->out, "\n   Where ");
    add_comment_words(e->out, text.at);
    base_text_add(e->out,
                  " = 0 a force jumps, and what holds the motion there is not decided here:\n"
                  "   zwang_accelerations returns 2.");
    base_text_free(&text);
  }
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

static void add_params(emitter* e)
{
  const model* m = e->s->model;
  base_text* out = e->out;
  base_text_add(out, "/* order of param, and the values taken when param is a null pointer */\n");
  base_text_printf(out, "static const double param_default[%d] = {\n",
                   e->inputs > 0 ? e->inputs : 1);
  if (e->inputs == 0) base_text_add(out, "  0 /* there are none */\n");
  for (int i = 0; i < e->inputs; i++) {
    base_text_add(out, "  ");
    add_real(out, i < m->params ? m->param[i].number : 0);
    base_text_printf(out, "%s /* %d  ", i + 1 < e->inputs ? "," : "", i);
    add_comment_words(out, expr_name(e->s->pool, e->input[i]));
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

static const char solver[] =
    "/* S x = r for n unknowns, S row-major with n rows; S and r are overwritten. Where the "
    "unknowns\n"
    "   behind the first `needed` are not determined, those of least norm are taken. Returns how "
    "many\n"
    "   of the first `needed` are not determined, or -1 when the equations contradict each other. "
    "*/\n"
    "static int solve(int n, int needed, double* S, double* r, double* x)\n"
    "{\n"
    "  int pivot[UNKNOWNS], row = 0, lost = 0, nulls = 0, i, j, k;\n"
    "  double scale[UNKNOWNS], null[UNKNOWNS * UNKNOWNS], size = 0;\n"
    "  for (i = 0; i < n; i++) {\n"
    "    /* rows of unlike units are made alike */\n"
    "    double most = 0;\n"
    "    for (j = 0; j < n; j++) most = fmax(most, fabs(S[i * n + j]));\n"
    "    if (most > 0) {\n"
    "      for (j = 0; j < n; j++) S[i * n + j] /= most;\n"
    "      r[i] /= most;\n"
    "    }\n"
    "    size = fmax(size, fabs(r[i]));\n"
    "  }\n"
    "  for (j = 0; j < n; j++) {\n"
    "    scale[j] = 0;\n"
    "    for (i = 0; i < n; i++) scale[j] = fmax(scale[j], fabs(S[i * n + j]));\n"
    "  }\n"
    "  for (j = 0; j < n; j++) {\n"
    "    int best = row;\n"
    "    pivot[j] = -1;\n"
    "    for (i = row; i < n; i++)\n"
    "      if (fabs(S[i * n + j]) > fabs(S[best * n + j])) best = i;\n"
    "    if (row == n || !(fabs(S[best * n + j]) > 1e-11 * scale[j])) {\n"
    "      lost += j < needed;\n"
    "      continue;\n"
    "    }\n"
    "    for (k = 0; k < n; k++) {\n"
    "      double swap = S[row * n + k];\n"
    "      S[row * n + k] = S[best * n + k];\n"
    "      S[best * n + k] = swap;\n"
    "    }\n"
    "    {\n"
    "      double swap = r[row];\n"
    "      r[row] = r[best];\n"
    "      r[best] = swap;\n"
    "    }\n"
    "    for (i = row + 1; i < n; i++) {\n"
    "      double factor = S[i * n + j] / S[row * n + j];\n"
    "      if (factor == 0) continue;\n"
    "      for (k = j; k < n; k++) S[i * n + k] -= factor * S[row * n + k];\n"
    "      r[i] -= factor * r[row];\n"
    "    }\n"
    "    pivot[j] = row++;\n"
    "  }\n"
    "  for (j = n - 1; j >= 0; j--) {\n"
    "    x[j] = 0;\n"
    "    if (pivot[j] < 0) continue;\n"
    "    x[j] = r[pivot[j]];\n"
    "    for (k = j + 1; k < n; k++) x[j] -= S[pivot[j] * n + k] * x[k];\n"
    "    x[j] /= S[pivot[j] * n + j];\n"
    "  }\n"
    "  /* rows left over say 0 = r */\n"
    "  for (j = 0; j < n; j++) size = fmax(size, fabs(x[j]));\n"
    "  for (i = row; i < n; i++)\n"
    "    if (!(fabs(r[i]) <= 1e-8 * size)) return -1;\n"
    "  for (j = needed; j < n; j++) {\n"
    "    /* S z = 0 with z_j = 1: what reactions may hand one another; made orthogonal to those "
    "before */\n"
    "    double *z = null + nulls * n, length = 0, part;\n"
    "    if (pivot[j] >= 0) continue;\n"
    "    for (k = n - 1; k >= 0; k--) {\n"
    "      z[k] = k == j;\n"
    "      if (pivot[k] < 0) continue;\n"
    "      for (i = k + 1; i < n; i++) z[k] -= S[pivot[k] * n + i] * z[i];\n"
    "      z[k] /= S[pivot[k] * n + k];\n"
    "    }\n"
    "    for (i = 0; i < nulls; i++) {\n"
    "      for (part = 0, k = needed; k < n; k++) part += null[i * n + k] * z[k];\n"
    "      for (k = needed; k < n; k++) z[k] -= part * null[i * n + k];\n"
    "    }\n"
    "    for (k = needed; k < n; k++) length += z[k] * z[k];\n"
    "    for (k = needed; k < n; k++) z[k] /= sqrt(length);\n"
    "    for (part = 0, k = needed; k < n; k++) part += z[k] * x[k];\n"
    "    for (k = needed; k < n; k++) x[k] -= part * z[k];\n"
    "    nulls++;\n"
    "  }\n"
    "  return lost;\n"
    "}\n\n";

// t, q, v, params
static code_kernel* build(const emitter* e, int count, const expr* all)
{
  const mech_system* s = e->s;
  expr* in = base_arena_take(e->arena, (size_t)(1 + 2 * s->n + e->inputs) * sizeof *in);
  int inputs = 0;
  in[inputs++] = s->model->t;
  for (int i = 0; i < s->n; i++) in[inputs++] = s->model->coord[i].q;
  for (int i = 0; i < s->n; i++) in[inputs++] = s->model->coord[i].v;
  for (int i = 0; i < e->inputs; i++) in[inputs++] = e->input[i];
  return code_build(s->pool, count, all, inputs, in, NULL);
}

static void add_terms(emitter* e, const code_kernel* terms)
{
  base_text_add(e->out, "/* in: t, q, v, param; out: M (COORDS rows), F, A (a row for each "
                        "constraint), c.\n   With -ffp-contract=off -fno-tree-slp-vectorize gcc "
                        "gives the bits of zwang itself;\n   with -mfma it is fast. */\n");
  code_print_c(terms, "zwang_terms", e->out);
  base_text_add(e->out, "\n");
}

static const char declaration[] =
    "int zwang_accelerations(double t, const double* q, const double* v,\n"
    "                        const double* param, double* a, double* lambda);\n\n"
    "/* Accelerations a and reactions lambda at the state t, q, v.\n"
    "   0: done. 1: they are not determined here, or the constraints contradict each\n"
    "   other, or a value is not finite.%s lambda may be a null pointer. */\n";

static const char function[] =
    "int zwang_accelerations(double t, const double* q, const double* v,\n"
    "                        const double* param, double* a, double* lambda)\n"
    "{\n"
    "  const double* p = param ? param : param_default;\n"
    "  double in[1 + 2 * COORDS + PARAMS + 1], out[UNKNOWNS * (COORDS + 1)%s];\n"
    "  double S[UNKNOWNS * UNKNOWNS] = {0}, r[UNKNOWNS], x[UNKNOWNS];\n"
    "  const double *M = out, *F = M + COORDS * COORDS, *A = F + COORDS;\n"
    "  const double* c = A + (UNKNOWNS - COORDS) * COORDS;\n"
    "  int i, j;\n\n"
    "  in[0] = t;\n"
    "  for (i = 0; i < COORDS; i++) in[1 + i] = q[i], in[1 + COORDS + i] = v[i];\n"
    "  for (i = 0; i < PARAMS; i++) in[1 + 2 * COORDS + i] = p[i];\n"
    "  zwang_terms(in, out);\n%s\n";

static const char solution[] =
    "  /* M a - A^T lambda = F, A a = c */\n"
    "  for (i = 0; i < COORDS; i++)\n"
    "    for (j = 0; j < COORDS; j++) S[i * UNKNOWNS + j] = M[i * COORDS + j];\n"
    "  for (i = COORDS; i < UNKNOWNS; i++)\n"
    "    for (j = 0; j < COORDS; j++) {\n"
    "      S[i * UNKNOWNS + j] = A[(i - COORDS) * COORDS + j];\n"
    "      S[j * UNKNOWNS + i] = -A[(i - COORDS) * COORDS + j];\n"
    "    }\n"
    "  for (i = 0; i < UNKNOWNS; i++) r[i] = i < COORDS ? F[i] : c[i - COORDS];\n"
    "  if (solve(UNKNOWNS, COORDS, S, r, x) != 0) return 1;\n"
    "  for (i = 0; i < UNKNOWNS; i++)\n"
    "    if (!isfinite(x[i])) return 1;\n"
    "  for (i = 0; i < COORDS; i++) a[i] = x[i];\n"
    "  for (i = COORDS; i < UNKNOWNS && lambda; i++) lambda[i - COORDS] = x[i];\n"
    "  return 0;\n"
    "}\n";

// where a force stands at its jump, the accelerations are not found
static void add_function(emitter* e)
{
  base_text room = {0}, look = {0};
  base_text_add(&room, "");
  base_text_add(&look, "");
  if (e->jumps) {
    base_text_printf(&room, " + %d", e->jumps);
    base_text_printf(&look,
                     "  for (i = 0; i < %d; i++)\n"
                     "    if (out[UNKNOWNS * (COORDS + 1) + i] == 0) return 2;\n",
                     e->jumps);
  }
  base_text_printf(e->out, declaration, e->jumps ? " 2: a force stands at its jump." : "");
  base_text_printf(e->out, function, room.at, look.at);
  base_text_add(e->out, solution);
  base_text_free(&room);
  base_text_free(&look);
}

void out_equations_c(const mech_system* s, const mech_equations* form, base_text* out)
{
  emitter e = {.s = s, .arena = base_arena_new(), .out = out};
  int count;
  e.jumps = out_conditions_jumps(s, e.arena, &e.jump);
  expr* all = gather(s, e.arena, e.jumps, &count);
  if (e.jumps) memcpy(all + count, e.jump, sizeof *all * (size_t)e.jumps);
  count += e.jumps;
  find_inputs(&e, count, all);
  code_kernel* terms = build(&e, count, all);
  assert(terms);

  base_text_add(out, "/* Equations of motion");
  if (s->model->title[0]) {
    base_text_add(out, ": ");
    add_comment_words(out, s->model->title);
  }
  base_text_printf(
      out,
      "\n   Written by zwang %s; the accelerations are the same for every form of the\n"
      "   equations (%s).",
      ZWANG_VERSION, form->form->name);
  add_inequalities(&e);
  add_jumps(&e);
  base_text_printf(out,
                   " */\n#include <math.h>\n\n"
                   "enum { COORDS = %d, UNKNOWNS = %d, PARAMS = %d };\n\n",
                   s->n, s->n + s->m, e.inputs);
  add_order(&e);
  add_params(&e);
  add_terms(&e, terms);
  base_text_add(out, solver);
  add_function(&e);
  code_free(terms);
  base_arena_free(e.arena);
}
