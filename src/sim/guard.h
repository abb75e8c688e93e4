// Private to sim: what is watched of contacts.
#pragma once

#include "sim/engine.h"

int sim_guard_count(const model* m);
void sim_guard_list(const model* m, expr_pool* p, expr* out);
// is some contact none any more at the state in the input block? then e->reason says why
bool sim_guard_broken(sim_engine* e);
// note normal forces at a state whose reactions are known, and tell of negative ones
void sim_guard_note(sim_engine* e, double t);
void sim_guard_warn(const sim_engine* e, base_notes* notes);
