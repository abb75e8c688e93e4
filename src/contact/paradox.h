// Painleve's paradox, for the files that decide. Private to contact.
#pragma once

#include "contact/contact.h"

// An impact without collision ends the slip of contact i. 0, or 1 with e->reason.
int contact_paradox_strike(engine* e, int i);
// the candidate that it has to be made at, where the model or the run asks for it; -1
int contact_paradox_beyond(engine* e);
// all motions that obey the laws, to be told; none: ""
void contact_paradox_list(engine* e, const cone_contact_result* x);
