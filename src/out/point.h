// A state as JSON, for whoever shows one.
#pragma once

#include <jansson.h>

#include "out/out.h"

// {"t": ..., "x": ..., "x'": ...}
json_t* out_point_state(const model* m, const study_point* p);
