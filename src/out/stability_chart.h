// The chart of stability over two params. Private to out.
#pragma once

#include "out/out.h"
#include "out/page.h"

enum { OUT_CHART_WIDTH = 800, OUT_CHART_HEIGHT = 720 };

// what: an out_stability with rows
void out_stability_chart(const void* what, out_terminal terminal, const char* picture,
                         base_text* out);
