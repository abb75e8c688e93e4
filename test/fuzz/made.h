// A model by the grammar and its equations, for the stages behind the public door.
#pragma once

#include "fuzz.h"
#include "zwang/zwang.h"

typedef struct fuzz_made
{
  zw_notes* notes;
  zw_model* model;
  zw_system* system; // null: there is none
} fuzz_made;

fuzz_made fuzz_make(fuzz_choices* c);
void fuzz_unmake(fuzz_made* m);
// a text, or a reason why there is none
void fuzz_drop(char* text, const fuzz_made* m);
