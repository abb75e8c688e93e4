// Equations of a form for the page: lines of LaTeX that KaTeX sets.
#include "out/view.h"

#include <stdlib.h>
#include <string.h>

#include "out/equations.h"
#include "out/json_text.h"
#include "out/latex.h"

static const double line_width = 62; // letters to a line

static void add_equation(const out_formulas* names, const mech_equation* e, base_text* out)
{
  char *left = out_formula_latex(names, e->left), *right = out_formula_latex(names, e->right);
  const char* sign = e->sense > 0 ? "\\ge" : e->sense < 0 ? "\\le" : "=";
  const double wide = out_latex_width(left, strlen(left));
  base_text_add(out, "\\begin{aligned}");
  if (wide < line_width / 2) {
    base_text_printf(out, "%s &%s ", left, sign);
    out_latex_wrap(out, right, line_width - wide, "\\\\ &\\quad ");
  } else {
    base_text_add(out, "& ");
    out_latex_wrap(out, left, line_width, "\\\\ &\\quad ");
    base_text_printf(out, "\\\\ &\\qquad %s ", sign);
    out_latex_wrap(out, right, line_width - 4, "\\\\ &\\qquad\\quad ");
  }
  base_text_add(out, "\\end{aligned}");
  free(left);
  free(right);
}

static void add_group(const out_formulas* names, json_t* groups, const char* title, int n,
                      const mech_equation* e, size_t room, size_t* length)
{
  if (n == 0) return;
  json_t *group = json_object(), *lines = json_array();
  out_json_set(group, "title", json_string(title));
  for (int i = 0; i < n && *length < room; i++) {
    base_text tex = {0};
    add_equation(names, &e[i], &tex);
    *length += tex.n;
    json_t* line = json_object();
    out_json_set(line, "tex", out_json_string(tex.at));
    out_json_set(line, "label", out_json_string(e[i].label ? e[i].label : ""));
    out_json_push(lines, line);
    base_text_free(&tex);
  }
  out_json_set(group, "lines", lines);
  out_json_push(groups, group);
}

json_t* out_view_equations(const mech_system* s, const mech_equations* e, size_t* room)
{
  base_arena* arena = base_arena_new();
  const mech_equations page = out_equations_page(s, e, arena);
  const out_formulas names = out_formulas_make(s, arena);
  json_t *j = json_object(), *groups = json_array();
  size_t length = 0;
  add_group(&names, groups, "Definitions", page.definitions, page.definition, *room, &length);
  add_group(&names, groups, "Equations of motion", page.count, page.equation, *room, &length);
  add_group(&names, groups, "Reactions", page.reactions, page.reaction, *room, &length);
  out_json_set(j, "name", json_string(e->form->name));
  out_json_set(j, "title", out_json_string(e->form->title));
  // half of the equations would be worse than none
  const bool whole = length < *room;
  out_json_set(j, "whole", json_boolean(whole));
  if (whole) {
    out_json_set(j, "groups", groups);
    *room -= length;
  } else {
    json_decref(groups);
  }
  base_arena_free(arena);
  return j;
}
