// The shape of a model for people at a terminal.
#include <stdlib.h>
#include <string.h>

#include "out/geometry.h"
#include "out/names.h"
#include "out/text.h"

enum { WIDTH = 100, DIGITS = 12 };

static void formula(const out_sheet* h, const char* label, int wide, expr e, base_text* out)
{
  base_text t = {0};
  expr_print(h->what->space->pool, &t, e);
  base_text_add(out, "  ");
  out_text_pad(out, label, wide + 1);
  base_text_add(out, "= ");
  out_text_wrap(out, t.at, wide + 5, wide + 7, WIDTH);
  base_text_add(out, "\n");
  base_text_free(&t);
}

static void section(const out_sheet* h, const out_section* s, base_text* out)
{
  int wide = 0;
  base_text_printf(out, "\n%s\n", s->title);
  if (s->count == 0) base_text_printf(out, "  %s\n", s->none);
  for (int i = 0; i < s->count; i++) {
    const int columns = out_text_columns(s->formula[i].text);
    wide = columns > wide ? columns : wide;
  }
  for (int i = 0; i < s->count; i++) formula(h, s->formula[i].text, wide, s->formula[i].value, out);
}

static void abbreviations(const out_sheet* h, base_text* out)
{
  if (h->abbreviations) base_text_add(out, "\nwhere\n");
  for (int i = 0; i < h->abbreviations; i++)
    formula(h, h->abbreviation[i].label, 5, h->abbreviation[i].right, out);
}

// ---- numbers ------------------------------------------------------------------------------------

static void entry(base_text* out, const char* label, double x)
{
  base_text_add(out, "  ");
  out_text_pad(out, label, 14);
  base_text_add(out, "= ");
  out_text_number(out, x, DIGITS);
  base_text_add(out, "\n");
}

static void curvature(const out_sheet* h, const geom_numbers* r, base_text* out)
{
  const int n = r->n, P = n * (n - 1) / 2;
  for (int l = 0, row = 0; l < n; l++)
    for (int x = l + 1; x < n; x++, row++)
      for (int b = 0, column = 0; b < n; b++)
        for (int a = b + 1; a < n; a++, column++) {
          if (column < row || r->riemann[row * P + column] == 0) continue;
          const char* at = out_sheet_index(h->arena, n, 4, (int[]){l, x, b, a});
          entry(out, base_arena_printf(h->arena, "R_%s", at), r->riemann[row * P + column]);
        }
  entry(out, "scalar R", r->scalar);
  for (int i = 0, at = 0; i < n; i++)
    for (int j = i + 1; j < n; j++, at++) {
      const char* pair = out_sheet_index(h->arena, n, 2, (int[]){i, j});
      entry(out, base_arena_printf(h->arena, "K_%s", pair), r->sectional[at]);
    }
}

static void numbers(const out_sheet* h, base_text* out)
{
  const out_geometry* g = h->what;
  const geom_space* s = g->space;
  if (!g->at) {
    base_text_add(out, "\nno numbers: the metric has no value at the point\n");
    return;
  }
  const geom_numbers* r = g->at->at;
  char* point = out_sheet_point(s, g->at->q, DIGITS);
  base_text_printf(out, "\nat %s%s\n", point, g->asked ? "" : " (the initial state)");
  free(point);
  if (s->rest > 0) {
    base_text_add(out, "  the surface is parametrised by");
    for (int i = 0; i < g->at->n; i++)
      base_text_printf(out, " %s", s->m->coord[s->coord[g->at->chosen[i]]].name);
    base_text_add(out, "\n");
  }
  for (int i = 0; i < r->n; i++)
    for (int j = i; j < r->n; j++) {
      const char* at = out_sheet_index(h->arena, r->n, 2, (int[]){i, j});
      if (r->g[i * r->n + j] != 0)
        entry(out, base_arena_printf(h->arena, "g_%s", at), r->g[i * r->n + j]);
    }
  if (!r->regular)
    base_text_add(out, "  the metric is degenerate here: no curvature\n");
  else
    curvature(h, r, out);
}

// ---- verdict ------------------------------------------------------------------------------------

static void verdict(const out_sheet* h, base_text* out)
{
  const geom_verdict* v = h->what->flat;
  base_text_printf(out, "\nflat: %s; %s\n", out_truth_word(v->flat), v->why);
  if (!v->q) return;
  char* point = out_sheet_point(h->what->space, v->q, DIGITS);
  base_text_printf(out, "  R_%s = ", out_sheet_index(h->arena, v->chosen_count, 4, v->index));
  out_text_number(out, v->value, DIGITS);
  base_text_printf(out, " at %s\n", point);
  free(point);
}

// ---- embedding ----------------------------------------------------------------------------------

static void region(const out_geometry* g, base_text* out)
{
  const geom_embedding* e = g->embedding;
  base_text_add(out, "  region ");
  for (int i = 0; i < e->n; i++) {
    base_text_printf(out, "%s", i ? ", " : "");
    out_text_number(out, e->low[i], 6);
    base_text_printf(out, " <= %s <= ", e->s->m->coord[e->s->coord[i]].name);
    out_text_number(out, e->high[i], 6);
  }
  base_text_printf(out, " (%s)\n", g->region);
}

static void motion(const out_geometry* g, base_text* out)
{
  const geom_motion* m = g->motion;
  if (m->rows == 0) {
    base_text_printf(out, "  no run in these coordinates: %s\n", m->why);
    return;
  }
  base_text_printf(out, "  the run in these coordinates to t = %.6g differs by %.2g",
                   m->t[m->rows - 1], g->difference);
  base_text_add(out, m->why ? "; there " : "\n");
  if (m->why) base_text_printf(out, "%s\n", m->why);
}

// b at the point, where the map is a hypersurface there
static void second(const out_geometry* g, base_text* out)
{
  const geom_embedding* e = g->embedding;
  double* b = base_alloc(sizeof(double) * (size_t)(e->n * e->n));
  if (out_second(g, b)) {
    base_text_add(out, "  second tensor at the point:");
    for (int i = 0; i < e->n; i++)
      for (int j = i; j < e->n; j++) {
        base_text_printf(out, "%s b_%d%d = ", i + j ? "," : "", i + 1, j + 1);
        out_text_number(out, b[i * e->n + j], 10);
      }
    base_text_add(out, "\n");
  }
  free(b);
}

static void embedding(const out_sheet* h, base_text* out)
{
  const out_geometry* g = h->what;
  const geom_embedding* e = g->embedding;
  base_text_add(out, "\nembedding: ");
  if (e->N == 0)
    base_text_add(out, "none found\n");
  else if (e->N == e->n)
    base_text_add(out, "canonical coordinates: T is half the sum of the x'^2\n");
  else
    base_text_printf(out, "%s in %d dimensions\n", e->how, e->N);
  for (int i = 0; i < e->notes; i++) {
    base_text_add(out, "  ");
    out_text_wrap(out, e->note[i], 2, 4, WIDTH);
    base_text_add(out, "\n");
  }
  for (int k = 0; k < e->N && e->x; k++)
    formula(h, base_arena_printf(h->arena, "x%d", k + 1), 4, e->x[k], out);
  if (e->P)
    base_text_printf(out, "  equations x'' = P%s with\n", e->N > e->n ? " + normal reaction" : "");
  for (int k = 0; k < e->N && e->P; k++)
    formula(h, base_arena_printf(h->arena, "P%d", k + 1), 4, e->P[k], out);
  if (e->N == 0) return;
  if (!e->P && !e->s->moving && !e->s->timed && e->s->velocity == 0)
    base_text_printf(out, "  equations x'' = P%s with P_k = x_k,a g^ab Q_b\n",
                     e->N > e->n ? " + normal reaction" : "");
  if (e->x)
    base_text_add(out, "  its metric is proved to be that of T\n");
  else
    base_text_printf(out, "  error of its metric %.2g\n", e->error);
  second(g, out);
  region(g, out);
  if (g->motion) motion(g, out);
}

void out_geometry_text(const out_sheet* h, base_text* out)
{
  const geom_space* s = h->what->space;
  out_text_plain(out, s->m->title[0] ? s->m->title : "model without a title");
  base_text_add(out, "\n\ncoordinates  ");
  for (int i = 0; i < s->n; i++)
    base_text_printf(out, "%s%d: %s", i ? ", " : "", i + 1, s->m->coord[s->coord[i]].name);
  base_text_add(out, "\n");
  for (int i = 0; i < h->notes; i++) {
    base_text_add(out, "  ");
    out_text_wrap(out, h->note[i], 2, 4, WIDTH);
    base_text_add(out, "\n");
  }
  for (int i = 0; i < h->sections; i++) section(h, &h->section[i], out);
  abbreviations(h, out);
  numbers(h, out);
  verdict(h, out);
  out_shape_text(h->what, out);
  if (h->what->geodesic) out_geodesic_text(h->what, out);
  if (h->what->embedding) embedding(h, out);
  if (h->what->report) out_reach_text(h->what, out);
}
