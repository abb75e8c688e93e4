// Sums within sums on their way to a tape: one addition instead of all of them. Private to the
// room.
#pragma once

#include "code/tape.h"

// a sum, and a shorter one all of whose terms it holds
typedef struct code_nested
{
  expr whole, part;
  double by; // the number that is in front of each
} code_nested;
// by sum, ascending
typedef BASE_LIST(code_nested) code_nested_sums;

// those within `count` expressions; exact: only with numbers that doubles hold
void code_nested_find(const expr_pool* p, bool exact, int count, const expr* out,
                      code_nested_sums* sums);
// null where it holds none
const code_nested* code_nested_in(const code_nested_sums* sums, expr whole);
// is the term, but for its number, that of the other sum at k?
bool code_nested_is_next(const expr_pool* p, expr term, expr part, int k);
