// What can be reached, in words and as JSON.
#include <string.h>

#include "out/geometry.h"
#include "out/json_text.h"
#include "out/text.h"

// entries of the growth vector of a point: up to where the most is reached
static int length_at(const geom_reach* r, int point)
{
  const int degree = geom_reach_degree(r, point);
  return degree ? degree : r->known[point];
}

static const int* vector_at(const geom_reach* r, int point)
{
  return r->dimension + point * r->stride;
}

static bool is_same(const geom_reach* r, int a, int b)
{
  return length_at(r, a) == length_at(r, b) &&
         !memcmp(vector_at(r, a), vector_at(r, b), sizeof(int) * (size_t)length_at(r, a));
}

static void add_vector(base_text* out, int n, const int* x)
{
  base_text_add(out, "(");
  for (int i = 0; i < n; i++) base_text_printf(out, "%s%d", i ? ", " : "", x[i]);
  base_text_add(out, ")");
}

static void add_point(const geom_reach* r, int p, base_text* out)
{
  const int degree = geom_reach_degree(r, p);
  if (vector_at(r, p)[0] < 0) {
    base_text_add(out, "not evaluable");
    return;
  }
  add_vector(out, length_at(r, p), vector_at(r, p));
  if (degree)
    base_text_printf(out, ", degree %d", degree);
  else
    base_text_add(out, ", degree beyond what was followed");
}

void out_reach_along_text(const geom_reach* r, const double* time, const char* where,
                          base_text* out)
{
  bool same = true;
  for (int p = 1; p < r->points; p++) same = same && is_same(r, p, 0);
  if (same) {
    base_text_printf(out, "  %s: ", time ? "all along the run" : where);
    add_point(r, 0, out);
    base_text_add(out, "\n");
    return;
  }
  for (int p = 0; p < r->points; p++) {
    if (p > 0 && is_same(r, p, p - 1)) continue;
    base_text_printf(out, "  from t = %.6g: ", time[p]);
    add_point(r, p, out);
    base_text_add(out, "\n");
  }
}

void out_reach_text(const out_geometry* g, base_text* out)
{
  const geom_report* report = g->report;
  const geom_reach* r = g->reach;
  base_text_add(out, "\nreach: growth vector ");
  if (!report->growth_known) {
    base_text_printf(out, "not known: %s\n", report->growth_note);
    return;
  }
  add_vector(out, report->growth_length, report->growth);
  base_text_printf(out, ", degree of nonholonomy %d", report->growth_length);
  if (report->growth_note && report->growth_note[0])
    base_text_printf(out, "; %s", report->growth_note);
  base_text_add(out, "\n");
  if (!r) return;
  out_reach_along_text(r, g->time, "at the point", out);
}

static json_t* integers(int n, const int* x)
{
  json_t* list = json_array();
  for (int i = 0; i < n; i++) out_json_push(list, json_integer(x[i]));
  return list;
}

json_t* out_reach_along_json(const geom_reach* r, const double* time)
{
  json_t* along = json_array();
  for (int p = 0; r && p < r->points; p++) {
    if (p > 0 && is_same(r, p, p - 1)) continue;
    const bool seen = vector_at(r, p)[0] >= 0;
    const int degree = geom_reach_degree(r, p);
    json_t* at = json_object();
    if (time) out_json_set(at, "t", out_json_real(time[p]));
    out_json_set(at, "growth", seen ? integers(length_at(r, p), vector_at(r, p)) : json_null());
    out_json_set(at, "degree", seen && degree ? json_integer(degree) : json_null());
    out_json_push(along, at);
  }
  return along;
}

json_t* out_reach_json(const out_geometry* g)
{
  const geom_report* report = g->report;
  const geom_reach* r = g->reach;
  json_t* o = json_object();
  const bool known = report->growth_known;
  out_json_set(o, "growth", known ? integers(report->growth_length, report->growth) : json_null());
  out_json_set(o, "degree", known ? json_integer(report->growth_length) : json_null());
  out_json_set(o, "along", out_reach_along_json(r, g->time));
  return o;
}
