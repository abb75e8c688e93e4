#include <jansson.h>
#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

TEST(equations_as_text_are_a_page_of_a_textbook)
{
  fixture* f = fixture_new(1);
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_TEXT, &out);
  const mech_equations* e = &f->e;
  base_text want = {0};
  base_text_printf(&want,
                   "Lagrange's equations\nA pendulum\n\nDefinitions\n  u = %s\n\nEquations\n",
                   fixture_text(f, e->definition[0].right));
  base_text_printf(&want, "  x    %s = %s\n", fixture_text(f, e->equation[0].left),
                   fixture_text(f, e->equation[0].right));
  base_text_printf(&want, "  y    %s = %s\n", fixture_text(f, e->equation[1].left),
                   fixture_text(f, e->equation[1].right));
  base_text_add(&want, "  rod  2*(x*x'' + y*y'') = -2*(x'^2 + y'^2)\n");
  base_text_add(&want, "\nReactions\n  reaction(rod) = m*(g*y - x'^2)\n\nwhere\n  x != 0\n");
  CHECK_TEXT(out.at, want.at);
  base_text_free(&want);
  base_text_free(&out);
  fixture_free(f);
}

TEST(terms_that_cancel_are_not_printed)
{
  fixture* f = fixture_new(1);
  expr_pool* p = f->s.pool;
  // (x + y)*(x - y) + y*y, left as a sum of products by whoever wrote it
  expr x = fixture_read(f, "x"), y = fixture_read(f, "y");
  expr product = expr_mul(p, expr_add(p, x, y), expr_sub(p, x, y));
  f->e.equation[0].left = expr_add(p, product, expr_mul(p, y, y));
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_TEXT, &out);
  CHECK(strstr(out.at, "  x    x^2 = "));
  base_text_free(&out);
  fixture_free(f);
}

// written out, twenty squarings of a sum would hold a million terms
TEST(long_equations_name_what_they_share)
{
  fixture* f = fixture_new(1);
  expr_pool* p = f->s.pool;
  expr e = fixture_read(f, "x + y");
  for (int i = 0; i < 20; i++)
    e = expr_add(p, expr_mul(p, e, fixture_read(f, "g")),
                 expr_fn1(p, EXPR_SIN, expr_add(p, e, fixture_read(f, "l"))));
  f->e.equation[0].left = e;
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_TEXT, &out);
  CHECK(out.n < 5000);
  CHECK(strstr(out.at, "  c1 = "));
  out.n = 0;
  out_equations(&f->s, &f->e, OUT_JSON, &out);
  CHECK(out.n < 20000);
  out.n = 0;
  out_equations(&f->s, &f->e, OUT_LATEX, &out);
  CHECK(out.n < 20000);
  base_text_free(&out);
  fixture_free(f);
}

// aligned at "=", a short one would push the long one off the page
TEST(beside_a_long_equation_all_begin_at_the_margin)
{
  fixture* f = fixture_new(1);
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_LATEX, &out);
  CHECK(strstr(out.at, " &= -2 "));
  f->e.equation[0].left = fixture_read(
      f, "m*x'' + g*x*x' + l*y*y' + m*g*l*x*y + m*l*x'*y' + g*l*x'' + m*g*y'' + l*x*x + g*y*y");
  out.n = 0;
  out_equations(&f->s, &f->e, OUT_LATEX, &out);
  const char* motion = strstr(out.at, "Equations of motion");
  const char* reactions = strstr(out.at, "Reactions");
  const char* aligned = strstr(motion, "&=");
  CHECK(strstr(motion, "\\qquad = "));
  CHECK(motion < reactions && (!aligned || aligned > reactions));
  base_text_free(&out);
  fixture_free(f);
}

TEST(styles_are_found_by_name)
{
  CHECK_INT(out_style_find("text"), OUT_TEXT);
  CHECK_INT(out_style_find("latex"), OUT_LATEX);
  CHECK_INT(out_style_find("c"), OUT_C);
  CHECK_INT(out_style_find("json"), OUT_JSON);
  CHECK_INT(out_style_find("pdf"), -1);
}

TEST(equations_as_json_read_back_with_text_and_latex)
{
  fixture* f = fixture_new(1);
  f->m.title = "hostile \"title\"\n\\";
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_JSON, &out);
  json_t* o = json_loads(out.at, 0, NULL);
  CHECK(o);
  CHECK_TEXT(json_string_value(json_object_get(o, "form")), "lagrange");
  CHECK_TEXT(json_string_value(json_object_get(o, "model")), f->m.title);
  json_t* equations = json_object_get(o, "equations");
  CHECK_INT((long long)json_array_size(equations), 3);
  json_t* y = json_array_get(equations, 1);
  CHECK_TEXT(json_string_value(json_object_get(y, "label")), "y");
  CHECK_TEXT(json_string_value(json_object_get(y, "left")), fixture_text(f, f->e.equation[1].left));
  CHECK(strstr(json_string_value(json_object_get(y, "left_latex")), "\\ddot{y}"));
  json_t* assumption = json_array_get(json_object_get(o, "assumptions"), 0);
  CHECK_TEXT(json_string_value(json_object_get(assumption, "not_zero")), "x");
  json_decref(o);
  base_text_free(&out);
  fixture_free(f);
}

TEST(forms_are_listed_as_text_and_json)
{
  fixture* f = fixture_new(1);
  mech_system* s = mech_derive(&f->m, f->notes);
  if (s) {
    base_text out = {0};
    out_forms(s, true, &out);
    json_t* o = json_loads(out.at, 0, NULL);
    json_t* forms = json_object_get(o, "forms");
    CHECK_INT((long long)json_array_size(forms), mech_form_count());
    CHECK_TEXT(json_string_value(json_object_get(json_array_get(forms, 0), "name")),
               mech_form_at(0)->name);
    json_decref(o);
    out.n = 0;
    out_forms(s, false, &out);
    for (int i = 0; i < mech_form_count(); i++) CHECK(strstr(out.at, mech_form_at(i)->title));
    base_text_free(&out);
    mech_free(s);
  }
  CHECK(s != NULL);
  fixture_free(f);
}
