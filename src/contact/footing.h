// Which features of shapes in space may touch next. Private to contact.
#pragma once

#include "contact/contact.h"

// facing.c: all that faces each other, flat and in space; false with errors noted
typedef struct contact_facings contact_facings;
bool contact_facing_new(engine* e, base_notes* notes);

typedef struct contact_footings contact_footings;
// *out is null where there are none, and in parts; false with errors noted
bool contact_footing_new(engine* e, contact_footings** out, base_notes* notes);
contact_footings* contact_facing_footings(const engine* e);
// as contact_facing_changes, contact_facing_choose and contact_facing_while; f may be null
bool contact_footing_changes(engine* e, contact_footings* f);
int contact_footing_choose(engine* e, contact_footings* f, bool* changed, bool* any);
double contact_footing_while(engine* e, contact_footings* f);
