// Private to walk: contacts of surfaces that come apart in a run, and meet again.
#pragma once

#include "walk/run.h"

// before the first step: which contacts are watched
void walk_leave_start(engine* e);
