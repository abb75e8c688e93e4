// Sine and cosine of blocks. Private to the room.
#pragma once

#include "code/lanes.h"

typedef enum code_trig { CODE_TRIG_SINE, CODE_TRIG_COSINE, CODE_TRIG_BOTH } code_trig;

// beyond this the C library's exact reduction is called lane by lane
#define CODE_TRIG_FAR 0x1p30

// of one, with the same bits as of many
void code_trig_one(double x, double* sine, double* cosine);
code_lanes_function* code_trig_of(code_trig what, int lanes, code_level level);
