// inequalities: what is known of the unilateral constraints of a system. Part of the door of
// contact.
#pragma once

#include "cone/cone.h"
#include "contact/accumulation.h"
#include "engine/engine.h"

// what was decided about a unilateral constraint at an instant
typedef enum contact_change {
  CONTACT_KEPT,
  CONTACT_LOOSENED,
  CONTACT_ENGAGED,
  CONTACT_HIT,      // an impact after which it is open again
  CONTACT_SLIPPING, // it stuck before
  CONTACT_STICKING, // it slipped before
  CONTACT_RESTED,   // after infinitely many impacts
  CONTACT_JAMMED,   // an impact without collision
  CONTACT_REGIME    // it is held at its limit by what holds with it, in a sliding regime
} contact_change;

typedef struct contact_beside contact_beside; // slip_beside.c

struct contact_inequalities
{
  int count;
  int* of;      // constraint numbers
  double* sign; // 1: f >= 0, or f = 0 with friction in space, -1: f <= 0
  bool* both;   // f = 0: it cannot let go
  double* restitution;
  bool* present;     // not released by a stage
  bool* closed;      // f = 0 (order 0), to be looked at as a candidate
  bool* apart;       // known to be in flight, however low it is
  bool* joins;       // takes part in the impact that is solved
  bool* low;         // would bounce no higher than nothing: without restitution
  double* hop;       // and the time that its bounces would take
  double* hop_speed; // what it would leave with
  double* impulse;   // of the last impact, 0 where there was none
  // impulses of the last decision along the gradient of every constraint of the model, friction
  // along the slips that `stick` names; and the energy that a law of impact gave the motion
  double* kick;
  double gained;
  bool struck;    // velocities jumped in the last decision
  double* alpha;  // loosening accelerations of the last decision
  double* lambda; // reactions of the last decision, both with the sign of the inequality
  bool* bent;     // its function has another slope from here on: it moves though it was held
  bool* was;      // active before the decision
  contact_change* change; // at the instant that is under way, to be told
  int* candidate;         // numbers into `of`
  int candidates;
  cone_least* least;
  cone_impact* impact;
  int* law;                        // a model_impact each
  double *pressed, *pulled;        // impulses in a fast change (fast_change.c)
  contact_accumulation* hits;      // of impacts
  struct contact_facings* facings; // flat shapes with corners (facing.c); null: there are none
  bool* held_before;               // corners that held the motion when a decision began
  // friction (slip.c)
  int tangents; // most directions of slip of a contact: 0 none, 1 in the plane, 2 in space
  bool rough;   // friction of contacts is decided with their gaps
  struct contact_tree* tree; // accelerations come along the tree of masses (slip_tree.c); else null
  contact_beside* beside;    // other forces depend on reactions, or hold the motion; else null
  int* slip;                 // where its slip stands in the output of the kernel, -1: smooth
  int* corner; // in the plane: the corner sign(slip) of its force, -1; and its sign against it
  double* corner_sign;
  bool corner_shared; // one of them is a corner of other forces, too
  cone_contact_mode *mode, *mode_was;
  bool *starts, *starts_was; // begins to slip in space, its speed still nothing; before
  bool* gripped;             // its last impact brought its slip to rest
  int starting;              // how many
  cone_contact* contact;
  double *T, *dT, *mu, *slip_now;
  bool* both_now; // of the candidates
  cone_contact_mode* guess;
  // Painleve's paradox (paradox.c): 1 + the contact that jams and is to be struck, 0; the one that
  // was in the last decision, -1; where several motions obey the laws, all of them
  int jams, jammed;
  char answers[200];
  // constraints that hold with it (sliding_regime.c)
  int links;
  int *link, *link_of; // their numbers, and those of the inequalities
  bool* link_present;  // not released by a stage
  int regime_was;      // before the decision
  double theta;        // share of the link in it
  bool engaged;        // velocities jumped at its end
  double *R, *R_right, *R_with;
  int *R_pivot, *R_row;
  // in a system of parts: the part of each inequality, and its number there; that of each link
  int *part, *number, *link_number;
  int* whole; // in a part: the number of each inequality in the whole
  // work space
  double *N, *d, *NB, *dB, *w, *v, *e, *value;
};
