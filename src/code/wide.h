// Jets with twice the digits: a jet, and a second block of scratch with the low parts. Private to
// the room.
#pragma once

#include "code/jet.h"

typedef void wide_runner(const code_jet* j, int k, double* r, double* low);
typedef void wide_product_runner(const code_jet* j, const double* r, const double* low, int k,
                                 int count, const code_jet_product* list, base_wide* sum);

struct code_wide
{
  code_jet* jet;
  size_t block;         // doubles of one block: behind it, the low parts of the same places
  double* constant_low; // of the constants of the jet
  wide_runner* run;     // orders above 0
  wide_product_runner* products;
};

void code_wide_start(const code_jet* j, double* r, double* low); // order 0
void code_wide_choose(code_wide* w); // the fastest functions of this processor
