// What the files of the engine know of each other. Private to engine.
#pragma once

#include "engine/engine.h"

// the program, while it is made
static inline engine_program* engine_making(engine* e)
{
  return (engine_program*)e->program;
}

// ---- many coordinates ---------------------------------------------------------------------------

// evaluate and factor at the state in the input block; 0, or 1 with e->reason
int engine_sparse_factor(engine* e, const bool* use, double tolerance);
void engine_sparse_free(engine* e);
void engine_sparse_kept_reactions(engine* e);
int engine_sparse_kick(engine* e, const double* g);
// lists of expressions of the kernels: M, F, A, c, and f0, f1
int engine_sparse_motion_list(engine* e, expr** list);
// when the kernels are there: work space, order of elimination; false with an error noted
bool engine_sparse_prepare(engine* e, base_notes* notes);
// level 0 positions, 1 velocities; y is e->q or e->v
int engine_sparse_project(engine* e, int level, double noise, double* y, bool* moved);
double engine_sparse_reactions(engine* e);
// which rows are in use now
void engine_sparse_rows(engine* e);
// constraints that follow from the others at and around this state, into e->implied; how many
int engine_sparse_set_aside(engine* e);
// Is the system one for this path? Where it is not and no other is left, null in *fine, with an
// error noted.
bool engine_sparse_wanted(engine* e, bool* fine, base_notes* notes);

// ---- constraints nonlinear in the accelerations -------------------------------------------------

// engine_curved_anchor and engine_curved_choose of a system that is not divided
void engine_curved_anchor_one(engine* e);
int engine_curved_choose_one(engine* e, bool ahead);
// values, gradients and second derivatives of the constraints that hold, by w; context: the engine
int engine_curved_evaluate(void* context, const double* w, double* phi, double* grad, double* hess);
void engine_curved_free(engine_curved* f);
int engine_curved_list(const engine* e, expr** out);
// all local minima; 0, or 1 with e->reason
int engine_curved_minima(engine* e);
const char* engine_curved_name(const engine* e); // of the first constraint that holds
engine_curved* engine_curved_new(engine* e, code_kernel* kernel);
// those constraints as polynomials in w into `out`, null where they are none or too long
const least_polynomial* engine_curved_polynomials(engine* e, least_polynomial* out);
// w and lambda of accelerations and reactions given in full
void engine_curved_reduce(const engine* e, const double* a, const double* all_lambda, double* w,
                          double* lambda);
// Z, a_p, H and r at the state in the input block
void engine_curved_set_up(engine* e);
// the answer w, with the equations and their factorisation as contact_reactions() needs them
void engine_curved_take(engine* e, const double* w);
