// The shape of a model as a small LaTeX document that compiles by itself.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "out/geometry.h"
#include "out/latex.h"
#include "out/names.h"

// letters to a line
static const double line_width = 72;

typedef struct writer
{
  const out_sheet* h;
  base_text* out;
  double widest;
} writer;

static char* printed(const writer* w, expr e)
{
  base_text t = {0}, safe = {0};
  expr_print_latex(w->h->what->space->pool, &t, e);
  out_latex_math(&safe, t.at);
  base_text_free(&t);
  return base_text_take(&safe);
}

static void line(writer* w, const char* left, expr value, bool last)
{
  char* right = printed(w, value);
  const double wide = out_latex_width(left, strlen(left));
  base_text_printf(w->out, "  %s &= ", left);
  const double width = wide + out_latex_wrap(w->out, right, line_width - wide, "\\\\\n  &\\quad ");
  w->widest = fmax(w->widest, width);
  base_text_add(w->out, last ? "\n" : " \\\\\n");
  free(right);
}

static void section(writer* w, const out_section* s)
{
  base_text_printf(w->out, "\n\\section*{%s}\n", s->title);
  if (s->count == 0) {
    base_text_printf(w->out, "%s\n", s->none);
    return;
  }
  base_text_add(w->out, "\\begin{align*}\n");
  for (int i = 0; i < s->count; i++)
    line(w, s->formula[i].latex, s->formula[i].value, i + 1 == s->count);
  base_text_add(w->out, "\\end{align*}\n");
}

static void abbreviations(writer* w)
{
  if (w->h->abbreviations == 0) return;
  base_text_add(w->out, "\n\\section*{Abbreviations}\n\\begin{align*}\n");
  for (int i = 0; i < w->h->abbreviations; i++) {
    char* left = printed(w, w->h->abbreviation[i].left);
    line(w, left, w->h->abbreviation[i].right, i + 1 == w->h->abbreviations);
    free(left);
  }
  base_text_add(w->out, "\\end{align*}\n");
}

static void words(writer* w, const char* text)
{
  out_latex_words(w->out, text);
  base_text_add(w->out, "\n\n");
}

static void verdict(writer* w)
{
  const geom_verdict* v = w->h->what->flat;
  base_text_add(w->out, "\n\\section*{Flat}\n");
  words(w, base_arena_printf(w->h->arena, "%s: %s.", out_truth_word(v->flat), v->why));
  if (!v->q) return;
  char* point = out_sheet_point(w->h->what->space, v->q, 12);
  words(w, base_arena_printf(w->h->arena, "R_%s = %.12g at %s.",
                             out_sheet_index(w->h->arena, v->chosen_count, 4, v->index), v->value,
                             point));
  free(point);
}

static void embedding(writer* w)
{
  const geom_embedding* e = w->h->what->embedding;
  base_text_add(w->out, "\n\\section*{Embedding}\n");
  if (e->N == 0)
    words(w, "None was found.");
  else
    words(w, base_arena_printf(w->h->arena, "%s, %d dimensions; error of the metric %.2g.", e->how,
                               e->N, e->error));
  for (int i = 0; i < e->notes; i++) words(w, base_arena_printf(w->h->arena, "%s.", e->note[i]));
  if (!e->x) return;
  base_text_add(w->out, "\\begin{align*}\n");
  for (int k = 0; k < e->N; k++)
    line(w, base_arena_printf(w->h->arena, "x_{%d}", k + 1), e->x[k], !e->P && k + 1 == e->N);
  for (int k = 0; k < e->N && e->P; k++)
    line(w, base_arena_printf(w->h->arena, "P_{%d}", k + 1), e->P[k], k + 1 == e->N);
  base_text_add(w->out, "\\end{align*}\n");
}

void out_geometry_latex(const out_sheet* h, base_text* out)
{
  const geom_space* s = h->what->space;
  base_text body = {0};
  writer w = {.h = h, .out = &body};
  base_text_add(&body, "\\begin{document}\n\\begin{center}\n");
  if (s->m->title[0]) {
    base_text_add(&body, "{\\Large ");
    out_latex_words(&body, s->m->title);
    base_text_add(&body, "}\\\\[1ex]\n");
  }
  base_text_add(&body, "{\\large The metric of the kinetic energy}\n\\end{center}\n");
  base_text_add(&body, "Coordinates ");
  for (int i = 0; i < s->n; i++) {
    base_text name = {0};
    expr_latex_name(&name, s->m->coord[s->coord[i]].name);
    base_text_printf(&body, "%s$q_{%d} = ", i ? ", " : "", i + 1);
    out_latex_math(&body, name.at);
    base_text_add(&body, "$");
    base_text_free(&name);
  }
  base_text_add(&body, ".\n\n");
  for (int i = 0; i < h->notes; i++) words(&w, h->note[i]);
  for (int i = 0; i < h->sections; i++) section(&w, &h->section[i]);
  abbreviations(&w);
  verdict(&w);
  if (h->what->embedding) embedding(&w);
  base_text_add(&body, "\\end{document}\n");
  base_text_add(out, "\\documentclass[11pt]{article}\n\\usepackage{amsmath}\n");
  base_text_printf(out, "\\usepackage[paperwidth=%.0fmm,paperheight=297mm,margin=25mm]{geometry}\n",
                   fmin(fmax(160, 2.1 * (w.widest + 12)), 5000) + 50);
  out_latex_letters(out, body.at);
  base_text_add(out, "\\allowdisplaybreaks\n\\pagestyle{empty}\n\n");
  base_text_add(out, body.at);
  base_text_free(&body);
}
