// What a system and its mode ask for, in words.
#include "engine/features.h"

#include <assert.h>
#include <stddef.h>

static const char* const texts[ENGINE_FEATURES] = {
    "it has many coordinates",
    "its equations are not linear in the accelerations",
    "its forces depend on the reactions",
    "a constraint is not linear in the accelerations",
    "a constraint is held by a control",
    "a constraint holds only while another does",
    "it has stages",
    "an event changes its state",
    "its params change",
    "it has inequalities",
    "its equations have corners or jumps",
    "it is too large",
    "a constraint binds accelerations alone",
    "a constraint is not linear in the velocities",
    "a constraint follows from the others",
    "a constraint not linear in the accelerations holds",
    "reactions come together with forces or controls",
    "it is held at a jump of its forces",
    "friction is decided with the accelerations",
    "a contact is in a sliding regime",
    "it falls into parts",
    "its constraints are near a singular position",
};

const char* engine_feature_text(int number)
{
  assert(number >= 0 && number < ENGINE_FEATURES);
  return texts[number];
}

const char* engine_features_reason(engine_features f)
{
  for (int i = 0; i < ENGINE_FEATURES; i++)
    if (f >> i & 1) return texts[i];
  return NULL;
}
