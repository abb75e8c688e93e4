// The shape of a model for programs: numbers at the point, formulas as texts.
#include <stdlib.h>
#include <string.h>

#include "out/geometry.h"
#include "out/json_text.h"
#include "out/names.h"

// x[i] for one index, x[i][j] for two, ...
static json_t* tensor(const double* x, int n, int rank)
{
  json_t* list = json_array();
  size_t step = 1;
  for (int i = 1; i < rank; i++) step *= (size_t)n;
  for (int i = 0; i < n; i++)
    out_json_push(list,
                  rank == 1 ? out_json_real(x[i]) : tensor(x + (size_t)i * step, n, rank - 1));
  return list;
}

static json_t* riemann(const out_sheet* h, const geom_numbers* r)
{
  const int n = r->n, P = n * (n - 1) / 2;
  json_t* o = json_object();
  for (int l = 0, row = 0; l < n; l++)
    for (int x = l + 1; x < n; x++, row++)
      for (int b = 0, column = 0; b < n; b++)
        for (int a = b + 1; a < n; a++, column++)
          if (column >= row)
            out_json_set(o, out_sheet_index(h->arena, n, 4, (int[]){l, x, b, a}),
                         out_json_real(r->riemann[row * P + column]));
  return o;
}

static json_t* sectional(const out_sheet* h, const geom_numbers* r)
{
  json_t* o = json_object();
  for (int i = 0, at = 0; i < r->n; i++)
    for (int j = i + 1; j < r->n; j++, at++)
      out_json_set(o, out_sheet_index(h->arena, r->n, 2, (int[]){i, j}),
                   out_json_real(r->sectional[at]));
  return o;
}

static json_t* point(const geom_space* s, const double* q)
{
  json_t* o = json_object();
  for (int i = 0; i < s->n; i++)
    out_json_set(o, s->m->coord[s->coord[i]].name, out_json_real(q[i]));
  return o;
}

static void numbers(const out_sheet* h, json_t* o)
{
  const geom_place* p = h->what->at;
  const geom_numbers* r = p ? p->at : NULL;
  const bool curved = r && r->regular;
  out_json_set(o, "at", p ? point(h->what->space, p->q) : json_null());
  out_json_set(o, "metric", r ? tensor(r->g, r->n, 2) : json_null());
  out_json_set(o, "inverse", curved ? tensor(r->inverse, r->n, 2) : json_null());
  out_json_set(o, "christoffel", curved ? tensor(r->first, r->n, 3) : json_null());
  out_json_set(o, "christoffel2", curved ? tensor(r->second, r->n, 3) : json_null());
  out_json_set(o, "riemann", curved ? riemann(h, r) : json_null());
  out_json_set(o, "ricci", curved ? tensor(r->ricci, r->n, 2) : json_null());
  out_json_set(o, "scalar", curved ? out_json_real(r->scalar) : json_null());
  out_json_set(o, "sectional", curved ? sectional(h, r) : json_null());
}

static json_t* formula(const out_sheet* h, expr e)
{
  base_text t = {0};
  expr_print(h->what->space->pool, &t, e);
  json_t* s = out_json_string(t.at);
  base_text_free(&t);
  return s;
}

static json_t* formulas(const out_sheet* h)
{
  json_t* o = json_object();
  for (int i = 0; i < h->sections; i++) {
    const out_section* s = &h->section[i];
    if (!strcmp(s->key, "scalar")) {
      out_json_set(o, s->key, s->count ? formula(h, s->formula[0].value) : out_json_string("0"));
      continue;
    }
    json_t* entries = json_object();
    for (int k = 0; k < s->count; k++)
      out_json_set(entries, s->formula[k].key, formula(h, s->formula[k].value));
    out_json_set(o, s->key, entries);
  }
  json_t* where = json_object();
  for (int i = 0; i < h->abbreviations; i++)
    out_json_set(where, h->abbreviation[i].label, formula(h, h->abbreviation[i].right));
  out_json_set(o, "where", where);
  return o;
}

// ---- embedding ----------------------------------------------------------------------------------

static json_t* texts(const out_sheet* h, int n, const expr* e)
{
  json_t* list = json_array();
  for (int i = 0; i < n; i++) out_json_push(list, formula(h, e[i]));
  return list;
}

static json_t* motion(const out_geometry* g)
{
  const geom_motion* m = g->motion;
  json_t* o = json_object();
  out_json_set(o, "why", m->why ? out_json_string(m->why) : json_null());
  out_json_set(o, "until", m->rows ? out_json_real(m->t[m->rows - 1]) : json_null());
  out_json_set(o, "difference", m->rows ? out_json_real(g->difference) : json_null());
  if (m->rows == 0) return o;
  out_json_set(o, "t", out_json_reals(m->rows, m->t));
  out_json_set(o, "q", out_json_table(m->rows, m->n, m->q));
  out_json_set(o, "x", out_json_table(m->rows, m->N, m->x));
  if (m->N > m->n) out_json_set(o, "reaction", out_json_reals(m->rows, m->reaction));
  return o;
}

// points of a surface on a grid of its box, row by row
static json_t* surface(const geom_embedding* e)
{
  json_t *o = json_object(), *points = json_array();
  for (int i = 0; i < OUT_GRID * OUT_GRID; i++) {
    const double q[2] = {out_grid(e, 0, i / OUT_GRID), out_grid(e, 1, i % OUT_GRID)};
    double x[3];
    geom_embedding_at(e, q, x, NULL, NULL);
    out_json_push(points, out_json_reals(3, x));
  }
  out_json_set(o, "rows", json_integer(OUT_GRID));
  out_json_set(o, "columns", json_integer(OUT_GRID));
  out_json_set(o, "points", points);
  return o;
}

static json_t* embedding(const out_sheet* h)
{
  const out_geometry* g = h->what;
  const geom_embedding* e = g->embedding;
  json_t *o = json_object(), *region = json_object(), *notes = json_array();
  for (int i = 0; i < e->n; i++)
    out_json_set(region, e->s->m->coord[e->s->coord[i]].name,
                 out_json_reals(2, (double[]){e->low[i], e->high[i]}));
  for (int i = 0; i < e->notes; i++) out_json_push(notes, out_json_string(e->note[i]));
  out_json_set(o, "dimension", e->N ? json_integer(e->N) : json_null());
  out_json_set(o, "error", e->N ? out_json_real(e->error) : json_null());
  out_json_set(o, "kind", out_json_string(e->N ? e->how : "none found"));
  out_json_set(o, "region", region);
  out_json_set(o, "region_from", out_json_string(g->region));
  out_json_set(o, "notes", notes);
  if (e->x) out_json_set(o, "map", texts(h, e->N, e->x));
  if (e->P) out_json_set(o, "forces", texts(h, e->N, e->P));
  double* b = base_alloc(sizeof(double) * (size_t)(e->n * e->n));
  if (out_second(g, b)) out_json_set(o, "second", out_json_table(e->n, e->n, b));
  free(b);
  if (g->motion) out_json_set(o, "motion", motion(g));
  if (e->n == 2 && e->N == 3) out_json_set(o, "surface", surface(e));
  return o;
}

static void verdict(const out_sheet* h, json_t* o)
{
  const geom_verdict* v = h->what->flat;
  out_json_set(o, "flat", out_json_string(out_truth_word(v->flat)));
  out_json_set(o, "flat_why", out_json_string(v->why));
  if (!v->q) return;
  json_t* by = json_object();
  out_json_set(by, "at", point(h->what->space, v->q));
  out_json_set(by, "component",
               out_json_string(out_sheet_index(h->arena, v->chosen_count, 4, v->index)));
  out_json_set(by, "value", out_json_real(v->value));
  out_json_set(o, "curved_at", by);
}

void out_geometry_json(const out_sheet* h, base_text* out)
{
  const geom_space* s = h->what->space;
  const geom_place* p = h->what->at;
  json_t *o = json_object(), *names = json_array(), *notes = json_array(), *solved = json_object();
  const int n = s->rest > 0 && p ? p->n : s->n;
  for (int i = 0; i < n; i++) {
    const int k = s->rest > 0 && p ? p->chosen[i] : i;
    out_json_push(names, out_json_string(s->m->coord[s->coord[k]].name));
  }
  for (int i = 0; i < h->notes; i++) out_json_push(notes, out_json_string(h->note[i]));
  for (int k = 0; k < s->gone; k++)
    out_json_set(solved, s->m->coord[s->gone_coord[k]].name, formula(h, s->gone_value[k]));
  out_json_set(o, "title", out_json_string(s->m->title));
  out_json_set(o, "coordinates", names);
  out_json_set(o, "solved", solved);
  out_json_set(o, "notes", notes);
  if (isfinite(h->what->energy)) out_json_set(o, "energy", out_json_real(h->what->energy));
  verdict(h, o);
  out_shape_json(h->what, o);
  numbers(h, o);
  if (h->what->geodesic) out_json_set(o, "geodesic", out_geodesic_json(h->what));
  if (h->what->embedding) out_json_set(o, "embedding", embedding(h));
  if (h->what->report) out_json_set(o, "reach", out_reach_json(h->what));
  out_json_set(o, "symbolic", formulas(h));
  out_json_print(out, o, true);
}
