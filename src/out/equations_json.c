// Equations as one JSON object, each formula as text and as LaTeX.
#include <assert.h>
#include <stdlib.h>

#include "out/conditions.h"
#include "out/equations.h"
#include "out/json_text.h"

typedef void printer(const expr_pool* p, base_text* out, expr e);

static json_t* formula(const expr_pool* p, expr e, printer* print)
{
  base_text t = {0};
  base_text_add(&t, "");
  print(p, &t, e);
  json_t* s = out_json_string(t.at);
  base_text_free(&t);
  return s;
}

static json_t* group(const expr_pool* p, int n, const mech_equation* e)
{
  json_t* list = json_array();
  for (int i = 0; i < n; i++) {
    json_t* one = json_object();
    out_json_set(one, "label", out_json_string(e[i].label ? e[i].label : ""));
    out_json_set(one, "left", formula(p, e[i].left, expr_print));
    if (e[i].sense) out_json_set(one, "relation", out_json_string(e[i].sense > 0 ? ">=" : "<="));
    out_json_set(one, "right", formula(p, e[i].right, expr_print));
    out_json_set(one, "left_latex", formula(p, e[i].left, expr_print_latex));
    out_json_set(one, "right_latex", formula(p, e[i].right, expr_print_latex));
    out_json_push(list, one);
  }
  return list;
}

static void push_conditions(const mech_system* s, const mech_equations* e, json_t* list)
{
  base_arena* arena = base_arena_new();
  out_condition* condition;
  const int count = out_conditions(s, e, arena, &condition);
  for (int i = 0; i < count; i++) {
    base_text text = {0};
    json_t* one = json_object();
    out_condition_text(s, &condition[i], &text);
    out_json_set(one, "condition", out_json_string(text.at));
    if (condition[i].constraint)
      out_json_set(one, "constraint", out_json_string(condition[i].constraint));
    else
      out_json_set(one, "zero", formula(s->pool, condition[i].zero, expr_print));
    out_json_push(list, one);
    base_text_free(&text);
  }
  base_arena_free(arena);
}

void out_equations_json(const mech_system* s, const mech_equations* e, base_text* out)
{
  assert(e->form);
  json_t* o = json_object();
  out_json_set(o, "form", out_json_string(e->form->name));
  out_json_set(o, "title", out_json_string(e->form->title));
  out_json_set(o, "model", out_json_string(s->model->title));
  out_json_set(o, "definitions", group(s->pool, e->definitions, e->definition));
  out_json_set(o, "equations", group(s->pool, e->count, e->equation));
  out_json_set(o, "reactions", group(s->pool, e->reactions, e->reaction));
  json_t* assumptions = json_array();
  for (int i = 0; i < e->assumptions; i++) {
    json_t* one = json_object();
    out_json_set(one, "not_zero", formula(s->pool, e->assumption[i], expr_print));
    out_json_set(one, "not_zero_latex", formula(s->pool, e->assumption[i], expr_print_latex));
    out_json_push(assumptions, one);
  }
  push_conditions(s, e, assumptions);
  out_json_set(o, "assumptions", assumptions);
  out_json_print(out, o, true);
}
