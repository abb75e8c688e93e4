#include <stdlib.h>

#include "check.h"
#include "out/fixture.h"

TEST(csv_has_a_header_17_digits_stage_and_event)
{
  fixture* f = fixture_new(1);
  base_text out = {0};
  out_csv(&f->one, &out);
  CHECK_TEXT(out.at, "t,x,y,x',y',reaction.rod,E,stage,event\n"
                     "0,0.5,-0,0.33333333333333331,-9.9999999999999995e-21,1e+22,-0,swing,\n"
                     "0.10000000000000001,0.375,-0.16666666666666666,0.33333333333333331,"
                     "-9.9999999999999995e-21,,-0,swing,low\n"
                     "0.20000000000000001,0.25,-0.33333333333333331,0.33333333333333331,"
                     "-9.9999999999999995e-21,1e+22,-0,\"rest, \"\"then\"\" stop\",\n");
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
                     "0.5,0,0.5,-0,0.33333333333333331,-9.9999999999999995e-21,1e+22,-0\n"
                     "0.65000000000000002,0,0.65000000000000002,-0,0.33333333333333331,"
                     "-9.9999999999999995e-21,1e+22,-0\n");
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
