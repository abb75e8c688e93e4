// Of what kind a space is: curvature that is constant, conformal flatness, factors.
#include <math.h>

#include "out/geometry.h"
#include "out/json_text.h"
#include "out/names.h"
#include "out/text.h"

enum { DIGITS = 12 };

static bool is_said(const geom_shape* r)
{
  return r && !r->unsuited;
}

// ---- text ---------------------------------------------------------------------------------------

static void factor_text(const geom_space* s, const geom_space_factor* f, base_text* out)
{
  base_text_printf(out, "  %d dimension%s", f->dimension, f->dimension == 1 ? "" : "s");
  for (int i = 0; i < f->coords; i++)
    base_text_printf(out, "%s%s", i ? ", " : ": ", s->m->coord[s->coord[f->coord[i]]].name);
  if (f->constant == EXPR_YES && f->curvature == 0)
    base_text_printf(out, "; flat%s\n", f->dimension > 1 ? ", a product of lines" : "");
  else {
    base_text_printf(out, "; %s ",
                     f->constant == EXPR_YES ? "constant curvature" : "scalar curvature here");
    out_text_number(out, f->curvature, DIGITS);
    base_text_add(out, "\n");
  }
}

void out_shape_text(const out_geometry* g, base_text* out)
{
  const geom_shape* r = g->shape;
  if (!is_said(r)) return;
  base_text_printf(out, "constant curvature: %s", out_truth_word(r->constant));
  if (r->constant == EXPR_YES) {
    base_text_add(out, "; K = ");
    out_text_number(out, r->curvature, DIGITS);
  }
  base_text_printf(out, "\nconformally flat: %s; %s", out_truth_word(r->conformal),
                   r->conformal_why);
  if (r->n > 2) base_text_printf(out, " (%.1e of its terms)", r->conformal_size);
  base_text_printf(out, "\nsplits into factors: %s", out_truth_word(r->splits));
  if (r->splits == EXPR_UNKNOWN) {
    base_text_add(out, "; the parallel tensors were not counted for sure\n");
    return;
  }
  base_text_printf(out, "; %d parallel symmetric tensor%s", r->parallel.dimension,
                   r->parallel.dimension == 1 ? "" : "s");
  if (isfinite(r->parallel.kept))
    base_text_printf(out, " (singular values from %.1g on, none from %.1g down)", r->parallel.kept,
                     r->parallel.dropped);
  base_text_add(out, "\n");
  if (r->splits == EXPR_YES)
    for (int i = 0; i < r->factors; i++) factor_text(g->space, &r->factor[i], out);
}

// ---- JSON ---------------------------------------------------------------------------------------

void out_shape_json(const out_geometry* g, json_t* o)
{
  const geom_shape* r = g->shape;
  const geom_space* s = g->space;
  if (!is_said(r)) return;
  json_t *constant = json_object(), *conformal = json_object(), *split = json_object(),
         *factors = json_array(), *gap = json_array();
  out_json_set(constant, "verdict", out_json_string(out_truth_word(r->constant)));
  out_json_set(constant, "curvature",
               r->constant == EXPR_YES ? out_json_real(r->curvature) : json_null());
  out_json_set(conformal, "verdict", out_json_string(out_truth_word(r->conformal)));
  out_json_set(conformal, "why", out_json_string(r->conformal_why));
  out_json_set(conformal, "size", out_json_real(r->conformal_size));
  for (int i = 0; i < r->factors; i++) {
    const geom_space_factor* f = &r->factor[i];
    json_t *one = json_object(), *names = json_array();
    for (int k = 0; k < f->coords; k++)
      out_json_push(names, out_json_string(s->m->coord[s->coord[f->coord[k]]].name));
    out_json_set(one, "dimension", json_integer(f->dimension));
    out_json_set(one, "coordinates", names);
    out_json_set(one, "constant_curvature", out_json_string(out_truth_word(f->constant)));
    out_json_set(one, f->constant == EXPR_YES ? "curvature" : "scalar",
                 out_json_real(f->curvature));
    out_json_push(factors, one);
  }
  out_json_set(split, "verdict", out_json_string(out_truth_word(r->splits)));
  out_json_set(split, "parallel_tensors",
               r->parallel.dimension < 0 ? json_null() : json_integer(r->parallel.dimension));
  out_json_push(gap, out_json_real(r->parallel.kept));
  out_json_push(gap, out_json_real(r->parallel.dropped));
  out_json_set(split, "gap", gap);
  out_json_set(split, "parts", factors);
  out_json_set(o, "constant_curvature", constant);
  out_json_set(o, "conformally_flat", conformal);
  out_json_set(o, "factors", split);
}
