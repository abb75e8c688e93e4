// Inputs that play the same part in limbs that are alike. Private to the room.
#pragma once

#include "code/pack.h"
#include "code/tree.h"

// By input: of which class it is, one in each of two to CODE_TWINS limbs that are alike, in which
// of these, and of which group of limbs. Null where no limbs are alike. Numbers in which such limbs
// differ become values of their own: products with equal ones would be shared in one limb and not
// in another.
code_twin* code_twins(code_maker* m, const code_tree* tree, code_limb* limb);
