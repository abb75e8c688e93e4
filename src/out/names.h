// Words and small numbers that several writers say about a track.
#pragma once

#include <math.h>

#include "out/out.h"

// "" where the row belongs to none
const char* out_stage_name(const walk_track* t, int row);
const char* out_event_name(const walk_track* t, int row);
// can rows belong to events: some of the model, contacts, or jumps of the acceleration?
bool out_has_events(const walk_track* t);
const char* out_status_word(walk_status s);
const char* out_direction_word(int direction);
const char* out_truth_word(expr_truth t);
// the energy balance over the scale of the energies; 0 where there is no energy at all
double out_energy_relative(const walk_track* t);
