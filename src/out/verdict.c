// What verify says: do the forms agree, is Gauss's function least at the motion, do integrals hold?
#include "out/json_text.h"
#include "out/out.h"
#include "out/text.h"

#include <math.h>

static void write_json(const study_verdict* v, base_text* out)
{
  json_t *o = json_object(), *forms = json_object(), *gauss = json_object();
  for (int i = 0; i < v->forms; i++) {
    const study_agreement* a = &v->agreement[i];
    if (a->unsuited) continue;
    json_t* one = json_object();
    out_json_set(one, "difference", out_json_real(a->difference));
    out_json_set(one, "states", json_integer(a->states));
    out_json_set(one, "singular", json_integer(a->refused));
    out_json_set(forms, a->form->name, one);
  }
  out_json_set(gauss, "least", json_boolean(v->least));
  out_json_set(o, "ok", json_boolean(v->agrees && v->least && v->conserves));
  out_json_set(o, "states", json_integer(v->states));
  out_json_set(o, "forms", forms);
  out_json_set(o, "gauss", gauss);
  json_t* integrals = json_object();
  for (int i = 0; i < v->integrals; i++) {
    const study_conservation* x = &v->integral[i];
    json_t* one = json_object();
    out_json_set(one, "drift", out_json_real(x->drift));
    out_json_set(one, "bound", out_json_real(x->bound));
    out_json_set(one, "rate", out_json_real(x->rate));
    out_json_set(one, "conserved", json_boolean(x->conserved));
    out_json_set(integrals, x->name, one);
  }
  out_json_set(o, "integrals", integrals);
  out_json_print(out, o, true);
}

static void write_integrals(const study_verdict* v, base_text* out)
{
  if (v->integrals) base_text_add(out, "\n");
  for (int i = 0; i < v->integrals; i++) {
    const study_conservation* x = &v->integral[i];
    base_text_add(out, "  ");
    out_text_pad(out, x->name, 24);
    base_text_printf(out, "drifts by %.2g from t = %.6g to %.6g (bound %.2g), rate %.2g", x->drift,
                     v->run_from, v->run_to, x->bound, x->rate);
    if (!x->conserved)
      base_text_add(out, !x->steady ? ": NOT an integral of the motion"
                                    : ": NOT kept by these steps, though its rate is zero");
    base_text_add(out, "\n");
  }
}

static void write_text(const mech_system* s, const study_verdict* v, base_text* out)
{
  if (*s->model->title) {
    out_text_plain(out, s->model->title);
    base_text_add(out, "\n");
  }
  base_text_printf(out, "  %d random states around the initial one\n\n", v->states);
  for (int i = 0; i < v->forms; i++) {
    const study_agreement* a = &v->agreement[i];
    base_text_add(out, "  ");
    out_text_pad(out, a->form->name, 24);
    if (a->unsuited) {
      base_text_add(out, "does not suit: ");
      out_text_plain(out, a->unsuited);
    } else {
      base_text_printf(out, "differs by %.2g at %d states", a->difference, a->states);
      if (a->refused) base_text_printf(out, ", singular at %d", a->refused);
    }
    base_text_add(out, "\n");
  }
  base_text_printf(out, "\n  the motion %s Gauss's function least\n",
                   v->least ? "makes" : "does NOT make");
  write_integrals(v, out);
  base_text_printf(out, "  %s\n",
                   v->agrees && v->least && v->conserves ? "all agree" : "something DISAGREES");
}

void out_verdict(const mech_system* s, const study_verdict* v, bool json, base_text* out)
{
  if (json)
    write_json(v, out);
  else
    write_text(s, v, out);
}
