// The mass matrix along the tree of masses. Private to the room.
#pragma once

#include "mech/form.h"

// rows of the lower triangle, columns ascending, zeros left out; the caller frees them and the list
expr_slope_list* mech_tree_rows(const mech_system* s, const model_tree* t);
// M is left to whoever needs it, who has it made by `write`: true where the tree is deep enough
bool mech_tree_hang(mech_system* s, const model_tree* t, void (*write)(mech_system* s));
// a division by the number zero nowhere?
bool mech_tree_whole(const model_tree* t);
