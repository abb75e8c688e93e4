// Private to walk: friction of surfaces that ends in sticking, and slipping that begins again.
#pragma once

#include "walk/run.h"

// contacts that do not slip at the state in the input block stick if friction suffices; 0, or 1
// with e->reason
int walk_stick_start(engine* e);
