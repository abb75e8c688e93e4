// Contacts in what check and eval say: one line each, whatever equations they are made of.
#include "out/contact.h"

#include "out/json_text.h"
#include "out/names.h"
#include "out/text.h"

// a contact is integrable when what holds its slip is
static expr_truth integrable(const model* m, const geom_report* g, int i)
{
  expr_truth all = EXPR_YES;
  for (int k = 0; k < m->constraints; k++) {
    if (m->constraint[k].contact != 1 + i || m->constraint[k].order == 0) continue;
    expr_truth one = g ? g->constraint[k].integrable : EXPR_UNKNOWN;
    if (one == EXPR_NO) return EXPR_NO;
    if (one == EXPR_UNKNOWN) all = EXPR_UNKNOWN;
  }
  return all;
}

static bool is_redundant(const model* m, const study_point* p, int i)
{
  for (int r = 0; p && r < p->redundant; r++)
    if (m->constraint[p->redundant_row[r]].contact == 1 + i) return true;
  return false;
}

void out_contact_check_json(const model* m, const study_point* p, const geom_report* g,
                            json_t* constraints, json_t* coordinates)
{
  for (int i = 0; i < m->contacts; i++) {
    const model_contact* c = &m->contact[i];
    json_t* o = json_object();
    out_json_set(o, "name", out_json_string(c->name));
    out_json_set(o, "kind", out_json_string(c->rolls ? "roll" : "slide"));
    out_json_set(o, "order", json_integer(c->rolls));
    out_json_set(o, "linear", json_true());
    out_json_set(o, "integrable", out_json_string(out_truth_word(integrable(m, g, i))));
    out_json_set(o, "redundant", p ? json_boolean(is_redundant(m, p, i)) : json_null());
    out_json_push(constraints, o);
    for (int k = 0; k < MODEL_CONTACT_COORDS; k++)
      if (!c->given[k]) out_json_push(coordinates, out_json_string(c->coord[k]));
  }
}

void out_contact_check_text(const model* m, const study_point* p, const geom_report* g,
                            base_text* out)
{
  for (int i = 0; i < m->contacts; i++) {
    const model_contact* c = &m->contact[i];
    base_text_add(out, "\n  ");
    out_text_plain(out, c->name);
    base_text_printf(out, ":  %s\n", c->rolls ? "rolls without slipping" : "slides");
    if (c->lands) base_text_add(out, "    unilateral: it can let go, and land\n");
    base_text_add(out, "    its coordinates are");
    for (int k = 0; k < MODEL_CONTACT_COORDS; k++) {
      base_text_add(out, k ? ", " : " ");
      out_text_plain(out, c->coord[k]);
    }
    base_text_printf(out, "\n    integrable: %s\n", out_truth_word(integrable(m, g, i)));
    if (is_redundant(m, p, i))
      base_text_add(out, "    redundant: a part of it depends on the other constraints\n");
  }
}

void out_contact_force(const mech_system* s, const study_point* p, int i, double F[3])
{
  base_arena* arena = base_arena_new();
  expr* symbol;
  double* value;
  int count = study_point_symbols(s, p, arena, &symbol, &value);
  expr_values(s->pool, 3, s->model->contact[i].force, count, symbol, value, F);
  base_arena_free(arena);
}
