// What stability says: shared by its writers. Private to out.
#pragma once

#include "out/out.h"

// C q + c in the names of the coordinates, of one coordinate; to be freed
char* out_stability_field(const study_stability* r, int i);
// what happens along a periodic motion, with the states on both sides
struct json_t* out_stability_happenings(const study_stability* r);
// the states in which each coordinate is least, or greatest, along a periodic motion
struct json_t* out_stability_extremes(const study_stability* r, bool most);
// What is told of each coordinate along a periodic motion: a figure of study_swing a row
typedef struct out_swing_figure
{
  const char* name;
  size_t at; // in study_swing
} out_swing_figure;
enum { out_swings = 5 };
extern const out_swing_figure out_swing[out_swings];
double out_swing_of(const study_swing* s, int figure);
void out_stability_json(const out_stability* s, base_text* out);
