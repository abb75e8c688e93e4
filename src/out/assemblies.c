// The assemblies of a mechanism as text or JSON.
#include <string.h>

#include "out/json_text.h"
#include "out/number.h"
#include "out/out.h"
#include "out/text.h"

enum { DIGITS = 12, WIDTH = 20 };

static void write_json(const study_assemblies* r, base_text* out)
{
  json_t *o = json_object(), *list = json_array();
  for (int k = 0; k < r->count; k++) {
    json_t* one = json_object();
    for (int i = 0; i < r->n; i++)
      out_json_set(one, r->model->coord[i].name, out_json_real(r->q[k * r->n + i]));
    out_json_push(list, one);
  }
  out_json_set(o, "t", out_json_real(r->t));
  out_json_set(o, "assemblies", list);
  out_json_set(o, "complex", json_integer(r->solutions));
  out_json_set(o, "beyond_limits", json_integer(r->beyond));
  out_json_set(o, "complete", json_boolean(r->whole && !r->lost));
  out_json_print(out, o, true);
}

static void write_text(const study_assemblies* r, base_text* out)
{
  out_text_plain(out, r->model->title[0] ? r->model->title : "model without a title");
  base_text_printf(out, ": %d assembl%s at t = %.10g", r->count, r->count == 1 ? "y" : "ies", r->t);
  base_text_printf(out, ", of %d complex ones\n", r->solutions);
  if (r->beyond)
    base_text_printf(out, "%d more lie where an inequality does not hold\n", r->beyond);
  if (r->lost) base_text_printf(out, "%d paths were lost: there may be more\n", r->lost);
  for (int k = 0; k < r->count; k++) {
    base_text_printf(out, "\n%d\n", k + 1);
    for (int i = 0; i < r->n; i++) {
      base_text_add(out, "  ");
      out_text_pad(out, r->model->coord[i].name, WIDTH - 2);
      out_text_number(out, r->q[k * r->n + i], DIGITS);
      base_text_add(out, "\n");
    }
  }
}

bool out_assemblies_write(const study_assemblies* r, const char* style, base_text* out)
{
  const bool json = !strcmp(style, "json");
  if (!json && strcmp(style, "text") != 0) return false;
  if (r) (json ? write_json : write_text)(r, out);
  return true;
}
