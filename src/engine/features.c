// What a system and its mode ask for, in words.
#include "engine/features.h"

#include <assert.h>
#include <stddef.h>

// of each its name and, as a reason, what is said of a system that has it
static const struct
{
  const char *name, *text;
} features[ENGINE_FEATURES] = {
    {"many coordinates", "it has many coordinates"},
    {"accelerations in forces", "its equations are not linear in the accelerations"},
    {"reactions in forces", "its forces depend on the reactions"},
    {"constraints curved in accelerations", "a constraint is not linear in the accelerations"},
    {"controls", "a constraint is held by a control"},
    {"constraints `while` others hold", "a constraint holds only while another does"},
    {"stages", "it has stages"},
    {"events that set", "an event changes its state"},
    {"params that change", "its params change"},
    {"inequalities", "it has inequalities"},
    {"corners and jumps", "its equations have corners or jumps"},
    {"large systems", "it is too large"},
    {"constraints of accelerations", "a constraint binds accelerations alone"},
    {"constraints curved in velocities", "a constraint is not linear in the velocities"},
    {"redundant constraints", "a constraint follows from the others"},
    {"a curve that holds", "a constraint not linear in the accelerations holds"},
    {"forces by reactions or controls", "reactions come together with forces or controls"},
    {"a hold at a jump", "it is held at a jump of its forces"},
    {"slip yet to be decided", "friction is decided with the accelerations"},
    {"a sliding regime", "a contact is in a sliding regime"},
    {"parts", "it falls into parts"},
    {"a singular position near by", "its constraints are near a singular position"},
    {"delays", "it depends on what was some time ago"},
};

const char* engine_feature_name(int number)
{
  assert(number >= 0 && number < ENGINE_FEATURES);
  return features[number].name;
}

const char* engine_features_reason(engine_features f)
{
  for (int i = 0; i < ENGINE_FEATURES; i++)
    if (f >> i & 1) return features[i].text;
  return NULL;
}
