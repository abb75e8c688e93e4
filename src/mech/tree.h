// The mass matrix along the tree of masses. Private to the room.
#pragma once

#include "mech/form.h"

// rows of the lower triangle, columns ascending, zeros left out; the caller frees them and the list
expr_slope_list* mech_tree_rows(const mech_system* s, const model_tree* t);
