// Bytes between ranks. Private to sweep.
#pragma once

#include "base/base.h"

// Rows to the first rank, or null: this one is broken. False: it says stop.
bool sweep_ranks_send(const char* bytes, size_t n);
// rows of a rank, false where it is broken; each is to be answered
bool sweep_ranks_receive(int from, base_text* out);
void sweep_ranks_answer(int to, bool go_on);
