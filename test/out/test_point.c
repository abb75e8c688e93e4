#include <jansson.h>
#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

TEST(a_point_as_json_has_accelerations_and_reactions_by_name)
{
  fixture* f = fixture_new(2);
  base_text out = {0};
  out_point(&f->s, &f->point, true, true, &out);
  json_t* o = json_loads(out.at, JSON_REJECT_DUPLICATES, NULL);
  CHECK(o);
  CHECK_TEXT(json_string_value(json_object_get(o, "form")), "lagrange");
  CHECK_NEAR(json_number_value(json_object_get(json_object_get(o, "accelerations"), "y")), -9.81,
             0);
  CHECK_NEAR(json_number_value(json_object_get(json_object_get(o, "reactions"), "rod")), -16, 0);
  CHECK_NEAR(json_number_value(json_object_get(json_object_get(o, "state"), "y'")), 2, 0);
  CHECK_TEXT(json_string_value(json_array_get(json_object_get(o, "redundant"), 0)), "twin");
  json_t* x = json_object_get(json_object_get(o, "split"), "x");
  CHECK_NEAR(json_number_value(json_object_get(x, "WK")), -8, 0);
  CHECK_NEAR(json_number_value(json_object_get(x, "WL")), 0, 0);
  json_decref(o);
  out.n = 0;
  out_point(&f->s, &f->point, true, false, &out);
  CHECK(!strstr(out.at, "split"));
  base_text_free(&out);
  fixture_free(f);
}

TEST(a_point_as_text_is_a_table)
{
  fixture* f = fixture_new(1);
  base_text out = {0};
  out_point(&f->s, &f->point, false, false, &out);
  CHECK_TEXT(out.at,
             "A pendulum\n"
             "  form lagrange, t = 0\n"
             "\n"
             "  coordinate              position              velocity          acceleration\n"
             "  x                            0.5                     0                    -8\n"
             "  y                              0                     2                 -9.81\n"
             "\n"
             "  constraint              reaction\n"
             "  rod                          -16\n");
  out.n = 0;
  out_point(&f->s, &f->point, false, true, &out);
  CHECK(strstr(out.at, "W^K"));
  CHECK(strstr(out.at, "velocity residual"));
  base_text_free(&out);
  fixture_free(f);
}
