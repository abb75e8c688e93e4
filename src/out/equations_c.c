// The equations of motion as a C99 file that needs <math.h> only.
//
// Whatever the form, the accelerations are those of the one problem under all forms,
//   M a - A^T lambda = F,   A a = c,
// so that is what the file solves: by Gaussian elimination with row pivoting on the n + m unknowns
// (a, lambda). A column without a pivot is a reaction that others may carry as well: what they may
// hand one another is taken out, so that lambda is of least norm.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/equations.h"
#include "out/text.h"

// a symbol and what it is called in C: letter and number
typedef struct name
{
  expr symbol;
  char letter;
  int index;
} name;

// what is emitted and how its symbols are called
typedef struct emitter
{
  const mech_system* s;
  base_arena* arena;
  base_text* out;
  int inputs; // params, then whatever else the expressions hold (rates of params)
  expr* input;
  expr_cse cse;
  int names;
  name* name; // sorted by symbol
} emitter;

static int by_symbol(const void* a, const void* b)
{
  expr x = ((const name*)a)->symbol, y = ((const name*)b)->symbol;
  return (x > y) - (x < y);
}

static void sort_names(emitter* e)
{
  const model* m = e->s->model;
  int room = 1 + 2 * m->coords + e->inputs + e->cse.count;
  e->name = base_arena_take(e->arena, (size_t)room * sizeof *e->name);
  e->name[e->names++] = (name){m->t, 't', -1};
  for (int i = 0; i < m->coords; i++) {
    e->name[e->names++] = (name){m->coord[i].q, 'q', i};
    e->name[e->names++] = (name){m->coord[i].v, 'v', i};
  }
  for (int i = 0; i < e->inputs; i++) e->name[e->names++] = (name){e->input[i], 'p', i};
  for (int i = 0; i < e->cse.count; i++) e->name[e->names++] = (name){e->cse.name[i], 'c', i};
  assert(e->names == room);
  qsort(e->name, (size_t)e->names, sizeof *e->name, by_symbol);
}

static void name_in_c(void* context, expr symbol, base_text* out)
{
  const emitter* e = context;
  name key = {symbol, 0, 0};
  const name* n = bsearch(&key, e->name, (size_t)e->names, sizeof key, by_symbol);
  assert(n);
  if (n->letter == 't')
    base_text_add(out, "t");
  else if (n->letter == 'c')
    base_text_printf(out, "c%d", n->index + 1);
  else
    base_text_printf(out, "%c[%d]", n->letter, n->index);
}

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

// all of M, F, A, c in one list, so that common parts are found across them
static expr* gather(const mech_system* s, base_arena* arena, int* count)
{
  int n = s->n, m = s->m;
  *count = n * n + n + m * n + m;
  expr* all = base_arena_take(arena, ((size_t)*count + 1) * sizeof *all);
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

// null, or why the file cannot be written
static const char* obstacle(const emitter* e, int count, const expr* all)
{
  const mech_system* s = e->s;
  for (int k = 0; k < s->m; k++)
    for (int i = 0; i < count; i++)
      if (expr_has(s->pool, all[i], s->model->reaction[k]))
        return "the forces depend on the reactions: accelerations are no linear problem here";
  if (expr_pool_full(s->pool)) return "the expressions are larger than the limit";
  return NULL;
}

// ---- parts of the file --------------------------------------------------------------------------

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

static void add_formula(emitter* e, expr formula)
{
  expr_print_c(e->s->pool, e->out, formula, name_in_c, e);
}

// is it the number zero, which needs no line?
static bool is_nothing(const emitter* e, expr formula)
{
  long value;
  return expr_is_int(e->s->pool, formula, &value) && value == 0;
}

static void add_entry(emitter* e, const char* array, int at, const char* sign, expr formula)
{
  if (is_nothing(e, formula)) return;
  base_text_printf(e->out, "  %s[%d] = %s", array, at, sign);
  if (sign[0]) base_text_add(e->out, "(");
  add_formula(e, formula);
  base_text_add(e->out, sign[0] ? ");\n" : ";\n");
}

// the rows of the system in the rewritten expressions
static void add_system(emitter* e)
{
  int n = e->s->n, m = e->s->m, width = n + m;
  const expr *M = e->cse.out, *F = M + n * n, *A = F + n, *c = A + m * n;
  base_text_add(e->out, "\n  /* M a - A^T lambda = F */\n");
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) add_entry(e, "S", i * width + j, "", M[i * n + j]);
    for (int k = 0; k < m; k++) add_entry(e, "S", i * width + n + k, "-", A[k * n + i]);
    add_entry(e, "r", i, "", F[i]);
  }
  if (m > 0) base_text_add(e->out, "\n  /* A a = c */\n");
  for (int k = 0; k < m; k++) {
    for (int j = 0; j < n; j++) add_entry(e, "S", (n + k) * width + j, "", A[k * n + j]);
    add_entry(e, "r", n + k, "", c[k]);
  }
}

static void add_function(emitter* e)
{
  base_text* out = e->out;
  int n = e->s->n, m = e->s->m;
  base_text_add(out,
                "/* Accelerations a and reactions lambda at the state t, q, v.\n"
                "   0: done. 1: they are not determined here, or the constraints contradict each\n"
                "   other, or a value is not finite. lambda may be a null pointer. */\n"
                "int zwang_accelerations(double t, const double* q, const double* v,\n"
                "                        const double* param, double* a, double* lambda)\n"
                "{\n"
                "  const double* p = param ? param : param_default;\n"
                "  double S[UNKNOWNS * UNKNOWNS] = {0}, r[UNKNOWNS] = {0}, x[UNKNOWNS];\n"
                "  int i;\n"
                "  (void)t, (void)q, (void)v, (void)p;\n");
  for (int i = 0; i < e->cse.count; i++) {
    base_text_printf(out, "%s  const double c%d = ", i == 0 ? "\n" : "", i + 1);
    add_formula(e, e->cse.value[i]);
    base_text_add(out, ";\n");
  }
  add_system(e);
  base_text_add(out, "\n"
                     "  if (solve(UNKNOWNS, COORDS, S, r, x) != 0) return 1;\n"
                     "  for (i = 0; i < UNKNOWNS; i++)\n"
                     "    if (!isfinite(x[i])) return 1;\n"
                     "  for (i = 0; i < COORDS; i++) a[i] = x[i];\n");
  if (m > 0)
    base_text_add(out, "  if (lambda)\n"
                       "    for (i = COORDS; i < UNKNOWNS; i++) lambda[i - COORDS] = x[i];\n");
  else
    base_text_add(out, "  (void)lambda;\n");
  base_text_add(out, "  return 0;\n}\n");
  assert(n > 0);
}

void out_equations_c(const mech_system* s, const mech_equations* form, base_text* out)
{
  emitter e = {.s = s, .arena = base_arena_new(), .out = out};
  int count;
  expr* all = gather(s, e.arena, &count);
  find_inputs(&e, count, all);
  const char* why = obstacle(&e, count, all);
  // a "$" cannot be in a name of the model, so these names are free
  if (!why) e.cse = expr_cse_find(s->pool, e.arena, count, all, "$c");
  if (!why && expr_pool_full(s->pool)) why = "the expressions are larger than the limit";

  base_text_add(out, "/* Equations of motion");
  if (s->model->title[0]) {
    base_text_add(out, ": ");
    add_comment_words(out, s->model->title);
  }
  base_text_printf(
      out,
      "\n   Written by zwang %s; the accelerations are the same for every form of the\n"
      "   equations (%s). */\n",
      ZWANG_VERSION, form->form->name);
  if (!why) sort_names(&e);
  if (why) {
    base_text_printf(out, "#error \"%s\"\n", why);
  } else {
    base_text_printf(out, "#include <math.h>\n\nenum { COORDS = %d, UNKNOWNS = %d };\n\n", s->n,
                     s->n + s->m);
    add_order(&e);
    add_params(&e);
    base_text_add(out, solver);
    base_text_add(out,
                  "int zwang_accelerations(double t, const double* q, const double* v,\n"
                  "                        const double* param, double* a, double* lambda);\n\n");
    add_function(&e);
  }
  base_arena_free(e.arena);
}
