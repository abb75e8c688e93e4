#include <jansson.h>
#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

static json_t* read_back(const out_runs* r)
{
  base_text out = {0};
  out_json(r, &out);
  json_error_t fault;
  json_t* o = json_loads(out.at, JSON_REJECT_DUPLICATES, &fault);
  if (!o) check_fail(__FILE__, __LINE__, "%s at line %d of\n%s", fault.text, fault.line, out.at);
  base_text_free(&out);
  return o;
}

static double number_at(const json_t* array, size_t i)
{
  return json_number_value(json_array_get(array, i));
}

TEST(json_of_a_run_reads_back)
{
  fixture* f = fixture_new(2);
  base_warning(f->notes, BASE_NOWHERE, "mind the \"gap\"");
  base_info(f->notes, BASE_NOWHERE, "nothing to see");
  json_t* o = read_back(&f->one);
  CHECK_TEXT(json_string_value(json_object_get(o, "title")), "A pendulum");
  CHECK_NEAR(json_number_value(json_object_get(json_object_get(o, "params"), "g")), 9.81, 0);
  json_t* columns = json_object_get(o, "columns");
  CHECK_INT((long long)json_object_size(columns), 9);
  for (int c = 0; c < 7; c++) {
    json_t* x = json_object_get(columns, f->track[0].column[c]);
    CHECK_INT((long long)json_array_size(x), 3);
    for (size_t i = 0; i < 3; i++) {
      double want = f->track[0].table.value[7 * i + (size_t)c];
      if (isnan(want))
        CHECK(json_is_null(json_array_get(x, i)));
      else
        CHECK_NEAR(number_at(x, i), want, 0);
    }
  }
  CHECK_TEXT(
      json_string_value(json_array_get(json_object_get(json_object_get(o, "columns"), "stage"), 2)),
      "rest, \"then\" stop");
  CHECK_TEXT(
      json_string_value(json_array_get(json_object_get(json_object_get(o, "columns"), "event"), 1)),
      "low");
  CHECK_TEXT(
      json_string_value(json_array_get(json_object_get(json_object_get(o, "columns"), "event"), 0)),
      "");
  json_t* event = json_array_get(json_object_get(o, "events"), 0);
  CHECK_TEXT(json_string_value(json_object_get(event, "name")), "low");
  CHECK_INT(json_integer_value(json_object_get(event, "direction")), -1);
  CHECK_NEAR(json_number_value(json_object_get(json_object_get(event, "values"), "x")),
             f->track[0].table.value[8], 0);
  CHECK_INT((long long)json_array_size(json_object_get(o, "warnings")), 1);
  CHECK_TEXT(json_string_value(json_array_get(json_object_get(o, "warnings"), 0)),
             "mind the \"gap\"");
  CHECK_TEXT(json_string_value(json_object_get(o, "status")), "done");
  CHECK_TEXT(json_string_value(json_object_get(json_object_get(o, "units"), "x'")), "m/s");
  json_decref(o);
  fixture_free(f);
}

TEST(json_statistics_name_residuals_energy_and_redundant_constraints)
{
  fixture* f = fixture_new(2);
  json_t* o = read_back(&f->one);
  json_t* s = json_object_get(o, "statistics");
  CHECK_TEXT(json_string_value(json_object_get(s, "method")), "dop853");
  CHECK_INT(json_integer_value(json_object_get(s, "steps")), 12);
  json_t* twin = json_object_get(json_object_get(s, "residuals"), "twin");
  CHECK_NEAR(json_number_value(json_object_get(twin, "position")), 4.5e-16, 0);
  CHECK(json_is_null(json_object_get(twin, "velocity")));
  CHECK_NEAR(json_number_value(json_object_get(json_object_get(s, "energy"), "relative")), 2e-13,
             1e-25);
  CHECK_TEXT(json_string_value(json_array_get(json_object_get(s, "redundant"), 0)), "twin");
  json_t* guess = json_array_get(json_object_get(s, "guesses_moved"), 0);
  CHECK_TEXT(json_string_value(json_object_get(guess, "guess")), "x ~ 0.5");
  CHECK_NEAR(json_number_value(json_object_get(guess, "by")), 0.15, 0);
  json_decref(o);
  fixture_free(f);
}

TEST(json_of_several_runs_is_a_list_with_the_varied_values)
{
  fixture* f = fixture_new(1);
  json_t* o = read_back(&f->two);
  CHECK_TEXT(json_string_value(json_object_get(o, "varied")), "l");
  json_t* runs = json_object_get(o, "runs");
  CHECK_INT((long long)json_array_size(runs), 2);
  json_t* second = json_array_get(runs, 1);
  CHECK_NEAR(json_number_value(json_object_get(second, "value")), 0.65, 0);
  CHECK_NEAR(number_at(json_object_get(json_object_get(second, "columns"), "x"), 0), 0.65, 0);
  json_decref(o);
  fixture_free(f);
}

TEST(json_survives_hostile_words)
{
  fixture* f = fixture_new(1);
  f->m.title = "\"quotes\" \\ back\nslash \x01 \xce\xb8 </script>";
  f->track[0].reason = "cut in the middle of a letter \xce";
  json_t* o = read_back(&f->one);
  CHECK_TEXT(json_string_value(json_object_get(o, "title")), f->m.title);
  CHECK_TEXT(json_string_value(json_object_get(o, "reason")), "cut in the middle of a letter ?");
  json_decref(o);
  fixture_free(f);
}
