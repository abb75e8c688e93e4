// Private to mech: common factors of a vector of expressions.
#pragma once

#include "mech/form.h"

// Divide the vector by the factors all its entries share, multiply it by their denominators, and
// turn it so that it has more positive entries than negative ones. It keeps its direction wherever
// it was defined and not zero.
void mech_factor_clean(const mech_system* s, int n, expr* z);
// does a person see a minus in front?
bool mech_factor_is_negative(const expr_pool* p, expr e);
// the number in front of a product, else one
expr mech_factor_number(expr_pool* p, expr e);
