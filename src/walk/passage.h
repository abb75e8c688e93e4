// Passing a singular position of the constraints. Private to walk.
#pragma once

#include "walk/run.h"

enum { WALK_PASSAGE_MOST_ZEROS = 8 };

// The motion on a branch is smooth where the branch crosses others, though the equations have no
// value there. A passage is one step across, by collocation at nodes that keep away from it.
typedef struct walk_passage
{
  walk_job* r;
  engine_rank* rank;
  step_stepper* bridge;
  step_bridge_span span;
  bool made;              // its polynomials stand for the motion
  double rate;            // of the margin
  double t;               // from here
  double* y;              // and this state, in coordinates and velocities
  double* a;              // accelerations there
  double* Y;              // states at the nodes
  double *force, *lambda; // reactions at the nodes, and the polynomials of what has no pole
  double* product;        // work space: reactions times the distances from their poles
  double* residue;        // of their poles, zeros by reactions, in units of `away`
  double *here, *there;   // work space: states
  // instants at which the constraints lose rank, and how far the nodes keep away from them
  int zeros;
  double zero[WALK_PASSAGE_MOST_ZEROS], away;
  double pole[WALK_PASSAGE_MOST_ZEROS]; // the same instants to rounding
  double* scale;                        // of each component, by the rows it stands in
  double size[2];                       // largest coordinate and velocity at its start
  engine_passage given;
} walk_passage;

walk_passage* walk_passage_new(walk_job* r, engine_rank* rank);
void walk_passage_free(walk_passage* p);
// The passage from the state y at t (coordinates and velocities, on the constraints), where the
// constraints lose rank about `ahead` later (negative: earlier), their margin vanishing at `rate`.
// `reach`: how far the passage goes behind it. True if it was found with no more
// than the error allowed, over the size of the motion.
bool walk_passage_find(walk_passage* p, double t, const double* y, double ahead, double reach,
                       double rate, double allowed);

// ---- between its files --------------------------------------------------------------------------

// the engine at instant t of the motion
void walk_passage_go_to(walk_passage* p, double t);
// reactions at the nodes as functions of time; false where there are none at a node
bool walk_passage_take_reactions(walk_passage* p);
// their values at t, into the engine
void walk_passage_give_reactions(const walk_passage* p, double t);
