// Rows of results: those of many runs at once against each by itself.
#include "check.h"
#include "sweep/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { runs = 700, most = 4 };

typedef struct table
{
  double result[runs * most];
  int basin[runs];
  char *reason[runs], *quality[runs];
  sweep_rows rows;
} table;

static table* table_new(void)
{
  table* t = base_alloc(sizeof *t);
  t->rows = (sweep_rows){.count = runs,
                         .result = t->result,
                         .basin = t->basin,
                         .reason = t->reason,
                         .quality = t->quality};
  return t;
}

static void table_free(table* t)
{
  for (int i = 0; i < runs; i++) free(t->quality[i]);
  free(t);
}

// some rows lack a number; columns of the end first, then times
static void compare(const sweep_results* want, int columns, int width)
{
  double value[runs * most];
  for (int i = 0; i < runs * width; i++)
    value[i] = i % 97 == 13 ? NAN : i % 211 == 5 ? INFINITY : i;
  table *one = table_new(), *all = table_new();
  for (int i = 0; i < runs; i++)
    sweep_take_columns(want, value + i * width, value + i * width + columns, &one->rows, i);
  sweep_take_chunk(want, value, columns, width, &all->rows);
  int told = 0;
  for (int i = 0; i < runs; i++) {
    CHECK_INT(all->basin[i], one->basin[i]);
    CHECK(!all->quality[i] == !one->quality[i]);
    told += one->quality[i] != NULL;
    if (one->quality[i] && all->quality[i]) CHECK_TEXT(all->quality[i], one->quality[i]);
  }
  CHECK(told > 0 && told < runs / 2);
  CHECK(one->rows.told && all->rows.told);
  CHECK(memcmp(all->rows.result, one->result, sizeof(double) * (size_t)(runs * want->count)) == 0);
  table_free(one);
  table_free(all);
}

TEST(rows_of_many_runs_are_those_of_each)
{
  const sweep_wanted ends[] = {{.label = "x"}, {.label = "y"}, {.label = "z"}};
  compare(&(sweep_results){.count = 3, .wanted = ends}, 3, 3);
  // a time between two ends, whose place is behind them
  const sweep_wanted mixed[] = {{.label = "x"},
                                {.label = "hit", .how = SWEEP_TIME, .event = "hit"}};
  compare(&(sweep_results){.count = 2, .wanted = mixed}, 1, 2);
  // columns of basins stand behind the results
  const int column = 1;
  const double low = 100, high = 900;
  const sweep_basin basin[] = {{"low", 1, &column, &low}, {"high", 1, &column, &high}};
  compare(&(sweep_results){.count = 1, .wanted = ends, .basins = 2, .basin = basin}, 3, 3);
}

// who writes rows looks at their words only then
TEST(rows_with_words_say_so)
{
  const sweep_wanted end = {.label = "x"};
  const sweep_results want = {.count = 1, .wanted = &end};
  table *fails = table_new(), *doubts = table_new();
  CHECK(!fails->rows.told && !doubts->rows.told);
  sweep_fail(&want, "it ended", &fails->rows, 3);
  sweep_judge(&doubts->rows, 3, true, "");
  CHECK(!doubts->rows.told);
  sweep_judge(&doubts->rows, 3, true, "its energy is off");
  CHECK(fails->rows.told && doubts->rows.told);
  free(fails->reason[3]);
  table_free(fails);
  table_free(doubts);
}
