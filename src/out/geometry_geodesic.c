// A geodesic and its conjugate points: in words, as JSON, as a picture.
#include <math.h>
#include <string.h>

#include "out/geometry.h"
#include "out/json_text.h"
#include "out/page.h"
#include "out/text.h"

enum { DIGITS = 12 };

// ---- text ---------------------------------------------------------------------------------------

static void point_text(const model* m, int n, const double* q, const char* mark, base_text* out)
{
  for (int i = 0; i < n; i++) {
    base_text_printf(out, "%s%s%s = ", i ? ", " : "", m->coord[i].name, mark);
    out_text_number(out, q[i], DIGITS);
  }
}

void out_geodesic_text(const out_geometry* g, base_text* out)
{
  const geom_geodesic* x = g->geodesic;
  const model* m = g->space->m;
  const int last = x->rows - 1;
  base_text_add(out, "\ngeodesic\n  from ");
  point_text(m, x->n, x->q, "", out);
  base_text_add(out, "\n  along ");
  point_text(m, x->n, x->v, "'", out);
  base_text_add(out, " (of length one)\n  length ");
  out_text_number(out, x->at[last], DIGITS);
  base_text_add(out, ", ends at ");
  point_text(m, x->n, x->q + last * x->n, "", out);
  if (x->time) {
    base_text_add(out, "\n  the motion takes the time ");
    out_text_number(out, x->time[last], DIGITS);
  }
  base_text_add(out, "\n");
  if (x->why) base_text_printf(out, "  ends early: %s\n", x->why);
  for (int i = 0; i < x->conjugates; i++) {
    const geom_conjugate* c = &x->conjugate[i];
    base_text_add(out, "  conjugate point after ");
    out_text_number(out, c->at, DIGITS);
    if (c->multiple > 1) base_text_printf(out, " (%d times)", c->multiple);
    base_text_add(out, ": ");
    point_text(m, x->n, c->q, "", out);
    base_text_add(out, "\n");
  }
  if (x->conjugates == 0)
    base_text_printf(out, "  no conjugate points%s\n",
                     x->d > 1 ? "" : ": the space has one dimension");
  base_text_printf(out, "  |v| stays 1 to %.1e\n", x->unit);
  if (isfinite(g->apart))
    base_text_printf(out, "  from the run of this energy it differs by %.1e, up to t = %.6g\n",
                     g->apart, g->until);
}

// ---- JSON ---------------------------------------------------------------------------------------

json_t* out_geodesic_json(const out_geometry* g)
{
  const geom_geodesic* x = g->geodesic;
  json_t *o = json_object(), *names = json_array(), *conjugate = json_array();
  for (int i = 0; i < x->n; i++) out_json_push(names, out_json_string(g->space->m->coord[i].name));
  for (int i = 0; i < x->conjugates; i++) {
    json_t* c = json_object();
    out_json_set(c, "length", out_json_real(x->conjugate[i].at));
    out_json_set(c, "multiplicity", json_integer(x->conjugate[i].multiple));
    out_json_set(c, "q", out_json_reals(x->n, x->conjugate[i].q));
    out_json_push(conjugate, c);
  }
  out_json_set(o, "coordinates", names);
  out_json_set(o, "dimension", json_integer(x->d));
  out_json_set(o, "length", out_json_real(x->at[x->rows - 1]));
  out_json_set(o, "why", x->why ? out_json_string(x->why) : json_null());
  out_json_set(o, "conjugate", conjugate);
  out_json_set(o, "speed_error", out_json_real(x->unit));
  out_json_set(o, "constraint_error", out_json_real(x->off));
  out_json_set(o, "run_difference", isfinite(g->apart) ? out_json_real(g->apart) : json_null());
  out_json_set(o, "s", out_json_reals(x->rows, x->at));
  if (x->time) out_json_set(o, "t", out_json_reals(x->rows, x->time));
  out_json_set(o, "q", out_json_table(x->rows, x->n, x->q));
  out_json_set(o, "v", out_json_table(x->rows, x->n, x->v));
  return o;
}

// ---- picture ------------------------------------------------------------------------------------

static void block(const char* name, int rows, int n, const double* q, base_text* out)
{
  base_text_printf(out, "$%s << END\n", name);
  for (int i = 0; i < rows; i++) {
    for (int k = 0; k < n; k++) base_text_printf(out, "%.10g ", q[i * n + k]);
    base_text_add(out, "\n");
  }
  base_text_add(out, "END\n");
}

// the first coordinates: three in space, two in the plane; one over the length
void out_geodesic_script(const out_geometry* g, base_text* out)
{
  const geom_geodesic* x = g->geodesic;
  const model* m = g->space->m;
  const char* axis[3] = {"x", "y", "z"};
  const int shown = x->n >= 3 ? 3 : x->n;
  const char* using = shown == 3 ? "1:2:3" : shown == 2 ? "1:2" : "($0):1";
  block("path", x->rows, x->n, x->q, out);
  base_text_add(out, "$conjugate << END\n");
  for (int i = 0; i < x->conjugates; i++) {
    for (int k = 0; k < x->n; k++) base_text_printf(out, "%.10g ", x->conjugate[i].q[k]);
    base_text_add(out, "\n");
  }
  base_text_add(out, "END\n");
  for (int i = 0; i < shown; i++) {
    base_text_printf(out, "set %slabel ", axis[shown == 1 ? 1 : i]);
    out_page_quoted(out, m->coord[i].name, 40);
    base_text_add(out, " noenhanced\n");
  }
  base_text_add(out, shown == 3 ? "set view equal xyz\nset ticslevel 0\nset border 4095 linecolor "
                                  "'#b0b0b0'\nset key outside right top\nsplot "
                                : "set grid linetype 1 linecolor '#e4e4e4'\nplot ");
  base_text_printf(out,
                   "$path using %s with lines linecolor '#0072b2' linewidth 2 title 'geodesic', "
                   "$path every ::0::0 using %s with points pointtype 7 linecolor '#202020' title "
                   "'start'",
                   using, using);
  if (x->conjugates && shown > 1)
    base_text_printf(out,
                     ", $conjugate using %s with points pointtype 6 pointsize 1.4 linewidth 2 "
                     "linecolor '#d55e00' title 'conjugate points'",
                     using);
  base_text_add(out, "\n");
}
