// The released and the comparison system of a point, as a page's part. Private to out.
#pragma once

#include "out/json_text.h"
#include "out/out.h"

void out_released_json(const model* m, const study_released* r, json_t* o);
void out_released_text(const model* m, const study_point* p, int width, base_text* out);
