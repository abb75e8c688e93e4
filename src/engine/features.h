// What a system and its present mode ask of whoever finds their motion, as bits. Reached through
// the door, engine.h.
#pragma once

// In the order in which reasons are told: engine_features_reason() names the first.
typedef enum engine_feature {
  // of the system
  ENGINE_MANY = 1 << 0,             // coordinates: no full matrices
  ENGINE_BY_ACCELERATIONS = 1 << 1, // forces or constraints that hold accelerations
  ENGINE_BY_REACTIONS = 1 << 2,     // forces that hold reactions
  ENGINE_CURVED = 1 << 3,           // constraints nonlinear in the accelerations
  ENGINE_CONTROLS = 1 << 4,
  ENGINE_WHILE = 1 << 5, // constraints that hold while others do
  ENGINE_STAGES = 1 << 6,
  ENGINE_CHANGES = 1 << 7, // events that set something
  ENGINE_PARAMS = 1 << 8,  // that change
  ENGINE_INEQUALITIES = 1 << 9,
  ENGINE_CORNERS = 1 << 10,
  ENGINE_LARGE = 1 << 11, // for one kernel
  // of what holds
  ENGINE_HOLDS_ACCELERATIONS = 1 << 12, // a constraint of order 2
  ENGINE_HOLDS_NONLINEAR = 1 << 13,     // one not linear in the velocities
  ENGINE_HOLDS_IMPLIED = 1 << 14,       // one that follows from the others
  ENGINE_HOLDS_CURVED = 1 << 15,        // one nonlinear in the accelerations
  ENGINE_HOLDS_COUPLED = 1 << 16,       // reactions or controls come with the forces
  ENGINE_HOLDS_JUMP = 1 << 17,          // the motion is held at a jump of its forces
  ENGINE_HOLDS_SLIP = 1 << 18,          // friction is decided in every evaluation
  ENGINE_HOLDS_REGIME = 1 << 19,        // a sliding regime
  ENGINE_HOLDS_PARTS = 1 << 20,         // several parts, each with a mode of its own
  // of the step
  ENGINE_NEAR_SINGULAR = 1 << 21, // states inside it are put on the constraints first
  // of the system again
  ENGINE_DELAYS = 1 << 22, // forces that depend on what was
  ENGINE_FEATURES = 23
} engine_feature;

typedef unsigned engine_features; // bits

enum { ENGINE_EVERY_FEATURE = (1 << ENGINE_FEATURES) - 1 };

// the first of them in words, as a reason why something does not suit; null where there is none
const char* engine_features_reason(engine_features f);
// what the bit with this number is called
const char* engine_feature_name(int number);
