// Private to mech: Voronets' equations for a given choice of dependent coordinates.
#pragma once

#include "mech/split.h"

void mech_voronets_write(mech_equations* e, const mech_system* s, const mech_split* k,
                         base_notes* notes);
