// What the files of the engine know of each other. Private to engine.
#pragma once

#include "engine/engine.h"

// ---- memory of an engine ------------------------------------------------------------------------

// Lists of doubles, zero, each of at least one: taken at once, as every run makes an engine.
typedef struct engine_room
{
  double** at;
  int count;
} engine_room;
void engine_rooms(engine* e, size_t lists, const engine_room* list);

// ---- a program while it is made -----------------------------------------------------------------

// null with errors noted
engine_program* engine_program_make(const mech_system* s, engine_kind kind, base_notes* notes);
void engine_program_free(engine_program* p);
// memory of its arena, zero; at least one element
void* engine_program_take(engine_program* p, size_t count, size_t size);
// do forces or constraints depend on time in a way that may lie in wait, or events at all?
// (timed.c)
bool engine_timed_find(const engine_program* p);
// which params are given with each run, and how they follow from each other (given.c)
void engine_given_find(engine_program* p);
bool engine_given_build(engine_program* p, base_notes* notes);
// the values of an engine; false with an error noted where one is out of its bounds
bool engine_given_set(engine* e, const double* number, base_notes* notes);
// inputs laid out, every kernel built; false with errors noted
bool engine_kernels_build(engine_program* p, base_notes* notes);
// one of them, of these expressions; null with an error noted, `what` being what they are
code_kernel* engine_kernel_make(const engine_program* p, int count, const expr* list,
                                const char* what, base_notes* notes);
// tree_motion.c: into a; of M the diagonal alone is found. False where the dense way is to be gone.
bool engine_tree_accelerations(engine* e);
// tree_mass.c: room for M by numbers; the equations of motion with no more than its diagonal, which
// takes as many operations as there are joints
void engine_tree_prepare(engine* e);
void engine_tree_own_masses(engine* e);
// watched.c
bool engine_delayed_build(engine_program* p, base_notes* notes);
engine_groups engine_groups_find(engine_program* p);
// divide the system into parts, each with its program; false with errors noted
bool engine_divide(engine_program* whole, base_notes* notes);
// the system of a part whose coordinates and rows are known, made of the groups that are `in`; and
// what else it depends on
mech_system* engine_part_system(engine_program* whole, engine_part* p, const bool* in);

// the mass of each coordinate, own, or lent by the rows of A as evaluated last where it has next to
// none; 0 where nothing lends it any (weights.c)
void engine_masses(engine* e, const double* own, double* mass);

// ---- many coordinates ---------------------------------------------------------------------------

// evaluate and factor at the state in the input block; 0, or 1 with e->reason
int engine_sparse_factor(engine* e, const bool* use, double tolerance);
void engine_sparse_free(engine* e);
void engine_sparse_kept_reactions(engine* e);
int engine_sparse_kick(engine* e, const double* g);
// lists of expressions of the kernels: M, F, A, c, and f0, f1
int engine_sparse_motion_list(engine_program* p, expr** list);
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
bool engine_sparse_wanted(const engine_program* p, bool* fine, base_notes* notes);

// ---- constraints nonlinear in the accelerations -------------------------------------------------

// engine_curved_anchor and engine_curved_choose of a system that is not divided
void engine_curved_anchor_one(engine* e);
int engine_curved_choose_one(engine* e, bool ahead);
// values, gradients and second derivatives of the constraints that hold, by w; context: the engine
int engine_curved_evaluate(void* context, const double* w, double* phi, double* grad, double* hess);
void engine_curved_free(engine_curved* f);
int engine_curved_list(const engine_program* p, expr** out);
// of each as a polynomial in the accelerations, 0: it is none
int* engine_curved_degrees(engine_program* p);
// all local minima; 0, or 1 with e->reason
int engine_curved_minima(engine* e);
const char* engine_curved_name(const engine* e); // of the first constraint that holds
engine_curved* engine_curved_new(engine* e);
// those constraints as polynomials in w into `out`, null where they are none or too long
const least_polynomial* engine_curved_polynomials(engine* e, least_polynomial* out);
// w and lambda of accelerations and reactions given in full
void engine_curved_reduce(const engine* e, const double* a, const double* all_lambda, double* w,
                          double* lambda);
// Z, a_p, H and r at the state in the input block
void engine_curved_set_up(engine* e);
// the answer w, with the equations and their factorisation as contact_reactions() needs them
void engine_curved_take(engine* e, const double* w);
