// The shape of a model as sections of labelled formulas, long ones shortened by abbreviations.
#include "out/geometry.h"

#include <stdlib.h>
#include <string.h>

#include "out/text.h"

typedef struct collector
{
  out_sheet* h;
  const geom_space* s;
  expr zero;
  BASE_LIST(out_formula) list;
  BASE_LIST(out_section) sections;
  BASE_LIST(const char*) notes;
} collector;

const char* out_sheet_index(base_arena* arena, int n, int count, const int* index)
{
  base_text t = {0};
  for (int i = 0; i < count; i++) base_text_printf(&t, "%s%d", n > 9 && i ? "," : "", index[i] + 1);
  char* out = base_arena_strdup(arena, t.at);
  base_text_free(&t);
  return out;
}

static const char* index_of(collector* c, int count, const int* index)
{
  return out_sheet_index(c->h->arena, c->s->n, count, index);
}

static void add(collector* c, const char* key, const char* text, const char* latex, expr e)
{
  if (e == c->zero) return;
  base_push(&c->list, (out_formula){key, text, latex, e});
}

static void end(collector* c, const char* key, const char* title, const char* none)
{
  out_section s = {.key = key, .title = title, .none = none, .count = c->list.n};
  s.formula = base_arena_take(c->h->arena, sizeof *s.formula * (size_t)(c->list.n + 1));
  if (c->list.n) memcpy(s.formula, c->list.at, sizeof *s.formula * (size_t)c->list.n);
  c->list.n = 0;
  base_push(&c->sections, s);
}

#define WORDS(...) base_arena_printf(c->h->arena, __VA_ARGS__)

// ---- sections -----------------------------------------------------------------------------------

static void matrix(collector* c, const expr* e, const char* text, const char* latex)
{
  const int n = c->s->n;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) {
      const char* at = index_of(c, 2, (int[]){i, j});
      add(c, at, WORDS("%s%s", text, at), WORDS("%s{%s}", latex, at), e[i * n + j]);
    }
}

static void christoffel(collector* c, const expr* e, bool first)
{
  const int n = c->s->n;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++)
      for (int j = i; j < n; j++) {
        const char *up = index_of(c, 1, &k), *at = index_of(c, 2, (int[]){i, j});
        const char* text = first ? WORDS("Gamma_%s,%s", up, at) : WORDS("Gamma^%s_%s", up, at);
        const char* latex =
            first ? WORDS("\\Gamma_{%s,%s}", up, at) : WORDS("\\Gamma^{%s}_{%s}", up, at);
        add(c, WORDS("%s,%s", up, at), text, latex, e[(k * n + i) * n + j]);
      }
}

static void riemann(collector* c)
{
  const int n = c->s->n, P = n * (n - 1) / 2;
  for (int l = 0, row = 0; l < n; l++)
    for (int x = l + 1; x < n; x++, row++)
      for (int b = 0, column = 0; b < n; b++)
        for (int a = b + 1; a < n; a++, column++) {
          if (column < row) continue;
          const char* at = index_of(c, 4, (int[]){l, x, b, a});
          add(c, at, WORDS("R_%s", at), WORDS("R_{%s}", at), c->s->riemann[row * P + column]);
        }
}

static void sectional(collector* c)
{
  const int n = c->s->n;
  for (int i = 0, at = 0; i < n; i++)
    for (int j = i + 1; j < n; j++, at++) {
      const char* pair = index_of(c, 2, (int[]){i, j});
      add(c, pair, WORDS("K_%s", pair), WORDS("K_{%s}", pair), c->s->sectional[at]);
    }
}

static void collect_sections(collector* c)
{
  const geom_space* s = c->s;
  matrix(c, s->g, "g_", "g_");
  end(c, "metric", "Metric", "zero");
  if (!s->riemann) return;
  matrix(c, s->inverse, "g^", "g^");
  end(c, "inverse", "Inverse metric", "zero");
  christoffel(c, s->first, true);
  end(c, "christoffel", "Christoffel symbols of the first kind", "all zero");
  christoffel(c, s->second, false);
  end(c, "christoffel2", "Christoffel symbols of the second kind", "all zero");
  riemann(c);
  end(c, "riemann", "Riemann tensor", "all zero");
  matrix(c, s->ricci, "R_", "R_");
  end(c, "ricci", "Ricci tensor", "zero");
  add(c, "scalar", "R", "R", s->scalar);
  end(c, "scalar", "Scalar curvature", "zero");
  sectional(c);
  end(c, "sectional", "Sectional curvatures of the coordinate planes", "all zero");
}

// ---- what the metric is -------------------------------------------------------------------------

static void collect_notes(collector* c)
{
  const geom_space* s = c->s;
  const model* m = s->m;
  if (s->factor != EXPR_NONE) {
    base_text t = {0};
    expr_print(s->pool, &t, s->factor);
    base_push(&c->notes,
              WORDS("the Jacobi metric of the energy E = %.12g: that of T times 2 (E - V) = "
                    "%s; its geodesics are the paths of that energy, their length "
                    "the action",
                    c->h->what->energy, t.at));
    base_text_free(&t);
  }
  for (int k = 0; k < s->gone; k++) {
    base_text t = {0};
    expr_print(s->pool, &t, s->gone_value[k]);
    base_push(&c->notes,
              WORDS("on the constraints %s = %s", m->coord[s->gone_coord[k]].name, t.at));
    base_text_free(&t);
  }
  if (s->rest > 0)
    base_push(&c->notes, WORDS("%d position constraint%s not solved in a formula: the formulas are "
                               "of the space around, the numbers of the constraint surface",
                               s->rest, s->rest == 1 ? " is" : "s are"));
  if (s->velocity > 0)
    base_push(&c->notes, WORDS("%d velocity constraint%s no part of it: the metric is that of all "
                               "positions",
                               s->velocity, s->velocity == 1 ? " has" : "s have"));
  if (s->moving)
    base_push(&c->notes, "the kinetic energy also has terms of first or no degree in the "
                         "velocities; the metric is its quadratic part");
  if (s->timed)
    base_push(&c->notes, "the metric depends on time; curvature is that of one instant");
  if (s->driven) base_push(&c->notes, "params that change are held");
  if (s->why && s->rest == 0) base_push(&c->notes, WORDS("no curvature in formulas: %s", s->why));
}

// ---- abbreviations ------------------------------------------------------------------------------

static void abbreviate(out_sheet* h, const mech_system* s)
{
  int count = 0;
  for (int i = 0; i < h->sections; i++) count += h->section[i].count;
  mech_equations e = {.arena = h->arena};
  e.equation = base_arena_take(h->arena, sizeof *e.equation * (size_t)(count + 1));
  for (int i = 0; i < h->sections; i++)
    for (int k = 0; k < h->section[i].count; k++)
      e.equation[e.count++] =
          (mech_equation){"", expr_int(s->pool, 0), h->section[i].formula[k].value, 0};
  mech_abbreviate(&e, s);
  count = 0;
  for (int i = 0; i < h->sections; i++)
    for (int k = 0; k < h->section[i].count; k++)
      h->section[i].formula[k].value = e.equation[count++].right;
  h->abbreviations = e.definitions;
  h->abbreviation = e.definition;
}

out_sheet* out_sheet_new(const mech_system* s, const out_geometry* g)
{
  base_arena* arena = base_arena_new();
  out_sheet* h = base_arena_take(arena, sizeof *h);
  h->arena = arena;
  h->what = g;
  collector c = {.h = h, .s = g->space, .zero = expr_int(s->pool, 0)};
  collect_sections(&c);
  collect_notes(&c);
  h->sections = c.sections.n;
  h->section = c.sections.at;
  h->notes = c.notes.n;
  h->note = c.notes.at;
  free(c.list.at);
  abbreviate(h, s);
  return h;
}

void out_sheet_free(out_sheet* h)
{
  free(h->section);
  free(h->note);
  base_arena_free(h->arena);
}

char* out_sheet_point(const geom_space* s, const double* q, int digits)
{
  base_text t = {0};
  for (int i = 0; i < s->n; i++) {
    base_text_printf(&t, "%s%s = ", i ? ", " : "", s->m->coord[s->coord[i]].name);
    out_text_number(&t, q[i], digits);
  }
  return base_text_take(&t);
}

double out_grid(const geom_embedding* e, int coord, int k)
{
  return e->low[coord] + (e->high[coord] - e->low[coord]) * k / (OUT_GRID - 1);
}

bool out_second(const out_geometry* g, double* b)
{
  const geom_embedding* e = g->embedding;
  double q[GEOM_MOST];
  if (e->N == 0 || !g->at) return false;
  // the embedding may have fewer coordinates than the space: those that parametrise it
  for (int i = 0; i < e->n; i++)
    for (int k = 0; k < g->space->n; k++)
      if (g->space->coord[k] == e->s->coord[i]) q[i] = g->at->q[k];
  return geom_embedding_second(e, q, b);
}

void out_geometry_write(const mech_system* s, const out_geometry* g, out_style style,
                        base_text* out)
{
  out_sheet* h = out_sheet_new(s, g);
  switch (style) {
  case OUT_LATEX:
    out_geometry_latex(h, out);
    break;
  case OUT_JSON:
    out_geometry_json(h, out);
    break;
  case OUT_TEXT:
  case OUT_C:
    out_geometry_text(h, out);
    break;
  }
  out_sheet_free(h);
}
