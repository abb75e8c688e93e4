// The released and the comparison system: accelerations, deviations, what was dropped and kept.
#include "out/released.h"

#include "out/text.h"

static json_t* system_of(const model* m, const double* w, double S)
{
  json_t *o = json_object(), *a = json_object();
  for (int i = 0; i < m->coords; i++) out_json_set(a, m->coord[i].name, out_json_real(w[i]));
  out_json_set(o, "accelerations", a);
  out_json_set(o, "deviation", out_json_real(S));
  return o;
}

// never negative: with the sign of the inequality
static double loosening_of(const model* m, const study_released* r, int k)
{
  return m->constraint[k].sense * r->alpha[k];
}

static bool is_dropped(const model* m, const study_released* r, int k)
{
  return r->takes_part[k] && (r->named[k] || m->constraint[k].sense);
}

void out_released_json(const model* m, const study_released* r, json_t* o)
{
  json_t *released = system_of(m, r->w0, r->from_released), *dropped = json_array();
  json_t *comparison = system_of(m, r->w, r->from_comparison), *kept = json_array();
  json_t* loosening = json_object();
  for (int k = 0; k < m->constraints; k++) {
    const char* name = m->constraint[k].name;
    if (is_dropped(m, r, k)) out_json_push(dropped, out_json_string(name));
    if (r->kept[k]) out_json_push(kept, out_json_string(name));
    if (r->takes_part[k] && m->constraint[k].sense)
      out_json_set(loosening, name, out_json_real(loosening_of(m, r, k)));
  }
  out_json_set(released, "dropped", dropped);
  out_json_set(comparison, "kept", kept);
  out_json_set(o, "released", released);
  out_json_set(o, "comparison", comparison);
  out_json_set(o, "loosening", loosening);
}

enum { CELL = 20 };

static void number(base_text* out, double x)
{
  base_text t = {0};
  out_text_number(&t, x, 12);
  base_text_printf(out, "  %*s", CELL, t.at);
  base_text_free(&t);
}

static void names(const model* m, const study_released* r, bool kept, base_text* out)
{
  bool any = false;
  for (int k = 0; k < m->constraints; k++) {
    if (!(kept ? r->kept[k] : is_dropped(m, r, k))) continue;
    base_text_add(out, any ? ", " : " ");
    out_text_plain(out, m->constraint[k].name);
    any = true;
  }
  base_text_add(out, any ? "\n" : " nothing\n");
}

void out_released_text(const model* m, const study_point* p, int width, base_text* out)
{
  const study_released* r = p->released;
  base_text_add(out, "\n  ");
  out_text_pad(out, "systems", width);
  base_text_printf(out, "  %*s  %*s  %*s\n", CELL, "motion w", CELL, "released w0", CELL,
                   "comparison w*");
  for (int i = 0; i < m->coords; i++) {
    base_text_add(out, "  ");
    out_text_pad(out, m->coord[i].name, width);
    number(out, p->a[i]);
    number(out, r->w0[i]);
    number(out, r->w[i]);
    base_text_add(out, "\n");
  }
  base_text_add(out, "  ");
  out_text_pad(out, "deviation", width);
  base_text_printf(out, "  %*s", CELL, "S");
  number(out, r->from_released);
  number(out, r->from_comparison);
  base_text_add(out, "\n\n  released of");
  names(m, r, false, out);
  base_text_add(out, "  compared with the system that keeps");
  names(m, r, true, out);
  for (int k = 0; k < m->constraints; k++) {
    if (!r->takes_part[k] || !m->constraint[k].sense) continue;
    base_text_add(out, "  loosening acceleration of ");
    out_text_plain(out, m->constraint[k].name);
    base_text_add(out, ": ");
    base_text_double(out, loosening_of(m, r, k));
    base_text_add(out, "\n");
  }
}
