// Equations as a page of text, in the notation of the model language.
#include <assert.h>

#include "out/conditions.h"
#include "out/equations.h"
#include "out/text.h"

enum { WIDTH = 100 };

static int label_width(int n, const mech_equation* e)
{
  int width = 0;
  for (int i = 0; i < n; i++) {
    int columns = e[i].label ? out_text_columns(e[i].label) : 0;
    if (columns > width && columns <= 24) width = columns;
  }
  return width;
}

static void write_group(const expr_pool* p, const char* title, int n, const mech_equation* e,
                        bool labelled, base_text* out)
{
  if (n == 0) return;
  base_text_printf(out, "\n%s\n", title);
  int width = labelled ? label_width(n, e) : 0;
  for (int i = 0; i < n; i++) {
    base_text line = {0};
    expr_print(p, &line, e[i].left);
    base_text_add(&line, e[i].sense > 0 ? " >= " : e[i].sense < 0 ? " <= " : " = ");
    expr_print(p, &line, e[i].right);
    base_text_add(out, "  ");
    if (width > 0) {
      out_text_pad(out, e[i].label ? e[i].label : "", width);
      base_text_add(out, "  ");
    }
    int at = 2 + (width > 0 ? width + 2 : 0);
    out_text_wrap(out, line.at, at, at + 4, WIDTH);
    base_text_add(out, "\n");
    base_text_free(&line);
  }
}

static void write_conditions(const mech_system* s, const mech_equations* e, base_text* out)
{
  base_arena* arena = base_arena_new();
  out_condition* list;
  const int count = out_conditions(s, e, arena, &list);
  for (int i = 0; i < count; i++) {
    base_text line = {0};
    out_condition_text(s, &list[i], &line);
    base_text_add(out, i == 0 ? "\nConditions\n  " : "  ");
    out_text_plain(out, line.at);
    base_text_add(out, "\n");
    base_text_free(&line);
  }
  base_arena_free(arena);
}

void out_equations_text(const mech_system* s, const mech_equations* e, base_text* out)
{
  assert(e->form);
  base_text_printf(out, "%s\n", e->form->title);
  if (s->model->title[0]) {
    out_text_plain(out, s->model->title);
    base_text_add(out, "\n");
  }
  write_group(s->pool, "Definitions", e->definitions, e->definition, false, out);
  write_group(s->pool, "Equations", e->count, e->equation, true, out);
  write_group(s->pool, "Reactions", e->reactions, e->reaction, false, out);
  for (int i = 0; i < e->assumptions; i++) {
    base_text line = {0};
    expr_print(s->pool, &line, e->assumption[i]);
    if (i == 0) base_text_add(out, "\nwhere\n");
    base_text_add(out, "  ");
    out_text_wrap(out, line.at, 2, 6, WIDTH);
    base_text_add(out, " != 0\n");
    base_text_free(&line);
  }
  write_conditions(s, e, out);
}
