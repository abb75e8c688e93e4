// Private to mech: rows picked one after another as long as they are independent everywhere but at
// exceptional points, each with a column of its own.
#pragma once

#include "mech/form.h"

typedef struct mech_pick
{
  const mech_system* s;
  int count;   // rows so far
  expr* E;     // those rows, each reduced by the ones before
  int* column; // the column of each
} mech_pick;

mech_pick mech_pick_new(const mech_system* s, base_arena* arena);
// take the row in if it is independent of the first `against` rows picked (-1: all, and it is kept)
// columns outside `allowed` (null: all) get no pivot; with `numbers` only a number is a pivot
bool mech_pick_try(mech_pick* k, const expr* row, const bool* allowed, bool numbers);
// is the row a combination of the first `count` rows?
bool mech_pick_spans(const mech_pick* k, int count, const expr* row);
// Independent constraints: those of the choice, or as many as there are; rows with a number as
// pivot first, so that numbers are divided by. Pivots in the dependent columns of the choice, or in
// `allowed` (null: anywhere). Returns how many; their numbers in `row`, in the order of picking.
int mech_pick_constraints(mech_pick* k, const mech_choice* choice, const bool* allowed,
                          base_arena* arena, int* row);
