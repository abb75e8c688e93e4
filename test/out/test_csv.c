#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

TEST(csv_has_a_header_shortest_numbers_stage_and_event)
{
  fixture* f = fixture_new(1);
  base_text out = {0};
  out_csv(&f->one, &out);
  CHECK_TEXT(out.at, "t,x,y,x',y',reaction.rod,E,stage,event\n"
                     "0,0.5,-0,0.3333333333333333,-1e-20,1e+22,-0,swing,\n"
                     "0.1,0.375,-0.16666666666666666,0.3333333333333333,"
                     "-1e-20,,-0,swing,low\n"
                     "0.2,0.25,-0.3333333333333333,0.3333333333333333,"
                     "-1e-20,1e+22,-0,\"rest, \"\"then\"\" stop\",\n");
  base_text_free(&out);
  fixture_free(f);
}

TEST(csv_of_several_runs_starts_with_the_varied_param)
{
  fixture* f = fixture_new(1);
  f->m.stages = f->m.events = 0;
  f->track[0].table.rows = f->track[1].table.rows = 1;
  base_text out = {0};
  out_csv(&f->two, &out);
  CHECK_TEXT(out.at, "l,t,x,y,x',y',reaction.rod,E\n"
                     "0.5,0,0.5,-0,0.3333333333333333,-1e-20,1e+22,-0\n"
                     "0.65,0,0.65,-0,0.3333333333333333,"
                     "-1e-20,1e+22,-0\n");
  base_text_free(&out);
  fixture_free(f);
}

TEST(csv_quotes_names_with_commas_quotes_and_line_breaks)
{
  fixture* f = fixture_new(1);
  f->m.stages = f->m.events = 0;
  f->track[0].table.rows = 0;
  f->track[0].column[1] = "a,\"b\"\nc";
  base_text out = {0};
  out_csv(&f->one, &out);
  CHECK_TEXT(out.at, "t,\"a,\"\"b\"\"\nc\",y,x',y',reaction.rod,E\n");
  base_text_free(&out);
  fixture_free(f);
}

static char* with_columns(const char* columns, bool units,
                          void (*write)(const out_runs*, base_text*))
{
  fixture* f = fixture_new(1);
  f->track[0].table.rows = 2;
  f->one.columns = columns;
  f->one.units = units;
  base_text out = {0};
  write(&f->one, &out);
  fixture_free(f);
  return base_text_take(&out);
}

static void is(char* text, const char* want)
{
  CHECK_TEXT(text, want);
  free(text);
}

TEST(columns_are_chosen_by_name_in_their_order_with_time_first)
{
  is(with_columns("y, x", false, out_csv), "t,y,x\n0,-0,0.5\n"
                                           "0.1,-0.16666666666666666,0.375\n");
  is(with_columns("x,event,t,x", false, out_csv), "x,event,t\n0.5,,0\n"
                                                  "0.375,low,0.1\n");
  is(with_columns("x*", false, out_csv), "t,x,x'\n0,0.5,0.3333333333333333\n"
                                         "0.1,0.375,0.3333333333333333\n");
  is(with_columns("*t*e", false, out_csv), "t,stage\n0,swing\n0.1,swing\n");
}

TEST(heads_have_units_where_they_are_asked_for)
{
  is(with_columns("x,E", true, out_csv), "t [s],x [m],E [J]\n0,0.5,-0\n0.1,0.375,-0\n");
}

TEST(a_table_for_people_has_its_columns_below_their_heads)
{
  is(with_columns("y,x,event", false, out_rows), "t [s]         y [m]  x [m]  event\n"
                                                 "    0             0    0.5       \n"
                                                 "  0.1  -0.166666667  0.375    low\n");
}

TEST(columns_that_are_not_there_are_named_all_at_once)
{
  fixture* f = fixture_new(1);
  base_notes* notes = base_notes_new();
  CHECK(out_columns_check(&f->m, "t,*", notes));
  CHECK_INT(base_notes_count(notes), 0);
  CHECK(!out_columns_check(&f->m, "t,nobody,,z*", notes));
  int errors = 0;
  for (int i = 0; i < base_notes_count(notes); i++)
    errors += base_notes_level(notes, i) == BASE_ERROR;
  CHECK_INT(errors, 3);
  base_notes_free(notes);
  fixture_free(f);
}
