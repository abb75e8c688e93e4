// Equations as a small LaTeX document that compiles by itself.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/conditions.h"
#include "out/equations.h"
#include "out/latex.h"

// letters to a line of an A4 page, and the longest left side that stands before an aligned "="
static const double line_width = 72, left_width = 36;

typedef struct writer
{
  const mech_system* s;
  base_text* out;
  double widest;
  out_formulas names;
} writer;

static char* formula(const writer* w, expr e)
{
  return out_formula_latex(&w->names, e);
}

static void note_width(writer* w, double width)
{
  if (width > w->widest) w->widest = width;
}

// one of the equations has too long a left side: then all begin at the margin
static bool has_long_left(writer* w, int n, const mech_equation* e)
{
  bool found = false;
  for (int i = 0; i < n && !found; i++) {
    char* left = formula(w, e[i].left);
    found = out_latex_width(left, strlen(left)) > left_width;
    free(left);
  }
  return found;
}

static void write_equation(writer* w, const mech_equation* e, bool margin)
{
  char *left = formula(w, e->left), *right = formula(w, e->right);
  const char* sign = e->sense > 0 ? "\\ge" : e->sense < 0 ? "\\le" : "=";
  double wide = out_latex_width(left, strlen(left));
  if (wide <= left_width) {
    base_text_printf(w->out, margin ? "  & %s %s " : "  %s &%s ", left, sign);
    note_width(w, wide + out_latex_wrap(w->out, right, line_width - wide, "\\\\\n  &\\quad "));
  } else {
    base_text_add(w->out, "  & ");
    note_width(w, out_latex_wrap(w->out, left, line_width, "\\\\\n  &\\quad "));
    base_text_printf(w->out, "\\\\\n  &\\qquad %s ", sign);
    note_width(w, 4 + out_latex_wrap(w->out, right, line_width - 4, "\\\\\n  &\\qquad\\quad "));
  }
  free(left);
  free(right);
}

// coordinates and quasi-velocities by their letters, constraints by their words
static void write_label(writer* w, const char* label)
{
  const model* m = w->s->model;
  bool is_name = model_coord_find(m, label) >= 0;
  // a momentum
  if (strncmp(label, "p_", 2) == 0) is_name = is_name || model_coord_find(m, label + 2) >= 0;
  for (int i = 0; i < m->quasis && !is_name; i++) is_name = strcmp(m->quasi[i].name, label) == 0;
  base_text name = {0};
  if (is_name) expr_latex_name(&name, label);
  base_text_add(w->out, is_name ? " \\tag*{\\small$" : " \\tag*{\\small\\itshape ");
  if (is_name)
    out_latex_math(w->out, name.at);
  else
    out_latex_words(w->out, label);
  base_text_add(w->out, is_name ? "$}" : "}");
  base_text_free(&name);
}

static void write_group(writer* w, const char* title, int n, const mech_equation* e, bool labelled)
{
  if (n == 0) return;
  base_text_printf(w->out, "\n\\section*{%s}\n\\begin{align*}\n", title);
  bool margin = has_long_left(w, n, e);
  for (int i = 0; i < n; i++) {
    write_equation(w, &e[i], margin);
    if (labelled && e[i].label && e[i].label[0]) write_label(w, e[i].label);
    base_text_add(w->out, i + 1 < n ? " \\\\\n" : "\n");
  }
  base_text_add(w->out, "\\end{align*}\n");
}

static void write_assumptions(writer* w, const mech_equations* e)
{
  if (e->assumptions == 0) return;
  base_text_add(w->out, "\nwhere\n\\begin{gather*}\n");
  for (int i = 0; i < e->assumptions; i++) {
    char* f = formula(w, e->assumption[i]);
    base_text_add(w->out, "  ");
    note_width(w, out_latex_wrap(w->out, f, line_width, "\\\\\n  "));
    base_text_add(w->out, i + 1 < e->assumptions ? " \\ne 0, \\\\\n" : " \\ne 0.\n");
    free(f);
  }
  base_text_add(w->out, "\\end{gather*}\n");
}

static void write_conditions(writer* w, const mech_equations* e)
{
  base_arena* arena = base_arena_new();
  out_condition* list;
  const int count = out_conditions(w->s, e, arena, &list);
  if (count) base_text_add(w->out, "\n\\section*{Conditions}\n\\begin{itemize}\n");
  for (int i = 0; i < count; i++) {
    char* f = list[i].constraint ? NULL : formula(w, list[i].zero);
    base_text_printf(w->out, "  \\item %s", list[i].before);
    base_text_add(w->out, f ? "$" : "\\textit{");
    if (f)
      base_text_add(w->out, f);
    else
      out_latex_words(w->out, list[i].constraint);
    base_text_add(w->out, f ? "$" : "}");
    base_text_printf(w->out, "%s\n", list[i].after);
    free(f);
  }
  if (count) base_text_add(w->out, "\\end{itemize}\n");
  base_arena_free(arena);
}

// the page is as wide as the widest line needs, at least A4
static void write_head(const writer* w, const char* body, base_text* out)
{
  double text = fmax(160, 2.1 * (w->widest + 12));
  base_text_add(out, "\\documentclass[11pt]{article}\n\\usepackage{amsmath}\n");
  base_text_printf(out, "\\usepackage[paperwidth=%.0fmm,paperheight=297mm,margin=25mm]{geometry}\n",
                   fmin(text, 5000) + 50);
  out_latex_letters(out, body);
  base_text_add(out, "\\allowdisplaybreaks\n\\pagestyle{empty}\n\n");
}

void out_equations_latex(const mech_system* s, const mech_equations* e, base_text* out)
{
  assert(e->form);
  base_arena* arena = base_arena_new();
  base_text body = {0};
  writer w = {.s = s, .out = &body, .names = out_formulas_make(s, arena)};
  base_text_add(&body, "\\begin{document}\n\\begin{center}\n");
  if (s->model->title[0]) {
    base_text_add(&body, "{\\Large ");
    out_latex_words(&body, s->model->title);
    base_text_add(&body, "}\\\\[1ex]\n");
  }
  base_text_add(&body, "{\\large ");
  out_latex_words(&body, e->form->title);
  base_text_add(&body, "}\n\\end{center}\n");
  write_group(&w, "Definitions", e->definitions, e->definition, false);
  write_group(&w, "Equations of motion", e->count, e->equation, true);
  write_group(&w, "Reactions", e->reactions, e->reaction, false);
  write_assumptions(&w, e);
  write_conditions(&w, e);
  base_text_add(&body, "\\end{document}\n");

  write_head(&w, body.at, out);
  base_text_add(out, body.at);
  base_text_free(&body);
  base_arena_free(arena);
}
