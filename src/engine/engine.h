// engine: system -> program: kernels, layout, work space; the problem at an instant.
// Takes a derived system; gives accelerations, reactions, projections and jumps of velocities for
// the rows and sides that are told to hold.
// Does not decide what holds: that is contact's; knows no steps.
#pragma once

#include "engine/datum.h"

// declared integrals of the motion
int engine_integral_count(const model* m);
const model_output* engine_integral_at(const model* m, int which);
// expressions of the integrals kernel, value and size of each; returns how many
int engine_integral_list(const mech_system* s, base_arena* arena, expr** list);

// expressions of the columns kernel, to be freed; returns how many
int engine_column_list(const model* m, expr** list);

// memory of the engine's arena, zero; at least one element
void* engine_take(engine* e, size_t count, size_t size);
double* engine_doubles(engine* e, int count);
// what kernels read and write: vectors of it that lie across two lines of the cache, of so many
// doubles each, cost twice
enum { ENGINE_LINE = 8 };
double* engine_lines(engine* e, size_t count);
// limits of full matrices, and whether systems of many coordinates go without them (e->sparse)
typedef struct engine_kind
{
  int most;
  bool large;
  bool divide;  // into parts
  bool is_part; // only what the motion needs is made
  int others;   // coordinates that are inputs: their places, then their velocities
  const expr* other;
  bool given; // params marked so are inputs; else numbers, as all that do not change
} engine_kind;
// The program of a system, made where there is none yet and kept with the system, which owns it.
// Null with errors noted.
const engine_program* engine_program_of(const mech_system* s, engine_kind kind, base_notes* notes);
// how many programs are kept with a system
int engine_program_count(const mech_system* s);
// An engine of it; `number`: values of its params, of which those given with the run are taken,
// null: those of the model. Null with errors noted; elements that switch are put to it by
// contact_engine_new (contact).
engine* engine_new(const engine_program* p, const double* number, base_notes* notes);
// Other values for the params given with the run, of the whole and its parts; false with an error
// noted, and nothing changed, where the model is another one for them.
bool engine_given_change(engine* e, const double* number, base_notes* notes);
// is it a number, or made of numbers and given params alone? the lock of the system is held
bool engine_is_constant(const engine_program* p, expr x);
// Another value of one param given with the run, and of what follows from it; false where the model
// would be another one. What was made for the value before (accelerations, factors) is gone.
bool engine_given_move(engine* e, int param, double number);
// expressions in the params that the given ones follow from, fixed ones as numbers
void engine_given_write_out(const engine_program* p, int count, expr* list);
void engine_free(engine* e);
// what a later room keeps with the engine, and how it is freed with it
void engine_attach(engine* e, void (*release)(void*), void* thing);
bool engine_has_attached(const engine* e, const void* thing);
// What was made of the program is kept with the system, for all engines; with this one where there
// are too many of its kind already. It depends on its key alone, so that no run depends on those
// beside it. The lock of the system is held since it was looked for.
void engine_keep(engine* e, base_key key, void* thing, void (*release)(void*));

// coupled.c: has the determinant of the problem changed its sign on the way?
bool engine_is_turned(engine* e, engine_orientation now);

// tree.c: the masses of the program as a tree on which every coordinate belongs to one joint. Null
// nodes and false where there is none, or where not all norms of quaternions are among the rows
// that hold.
bool engine_tree_serves(const engine* e);
bool engine_tree_is_free(const engine* e);      // and nothing holds but these norms
bool engine_tree_keeps(const engine* e, int k); // does constraint k keep such a norm?
// what acts beside the forces on its nodes, F being all
const expr* engine_tree_forces(const engine* e, const expr* F);
bool engine_tree_take(const engine* e, code_tree* out);
void engine_tree_leave(code_tree* t);
// the same with all constraints as rows; it belongs to the program
bool engine_tree_whole(const engine* e, code_tree* out);

// tree_mass.c: the equations of motion, M by numbers where the masses hang as a deep tree.
// M, F, A, c at the state in the input block
void engine_equations(engine* e);
// all that M holds, as it is kept; the caller frees it
int engine_mass_terms(const mech_system* s, expr** out);
// of M, F, A, c, roughly
double engine_operations(const engine_program* p);
// the kernel of M, F, A, c, each entry of M written out; who asks holds the lock of the system
const code_kernel* engine_full_equations(const engine_program* p);

// tree_motion.c: the accelerations a0 (n) of the forces alone, and what a unit of the reaction of
// each constraint adds to them (m by n; norms are kept in both). F, A and c are those of the state.
typedef struct engine_tree_motion
{
  const double *a0, *W;
} engine_tree_motion;
// is that less work than by the matrix of masses?
bool engine_tree_pays(engine* e);
// was that found so far? Then the rows are not factored at states that steps try
bool engine_tree_is_taken(const engine* e);
// W: with them, else null; false where a joint has next to no inertia
bool engine_tree_move(engine* e, bool W, engine_tree_motion* out);

// Engines for the parts of the program, each built by the function; false with errors noted.
typedef engine* engine_build_part(const engine_program* p, const double* number, base_notes* notes);
bool engine_parts_open(engine* e, engine_build_part* build, const double* number,
                       base_notes* notes);
// lend the instant in the input block to a part; take back its state, accelerations, reactions,
// sides and rows
engine* engine_part_enter(engine* e, int which);
void engine_part_leave(engine* e, int which);
// one after the other, as long as it goes well; 0, or what went wrong
int engine_each_part(engine* e, int (*what)(engine*));
bool engine_is_large(const engine* e); // many coordinates, in the whole or in a part
// engine_kick in one part alone
int engine_part_kick(engine* e, int which, const double* g);
// M, F, A, c of a part as evaluated last, into the full matrices of the whole
void engine_part_show(engine* e, int which);
// rows alone: what holds was changed by, or in, the parts
void engine_rows_count(engine* e);
// of rows set aside, those in the same part as row k
int engine_implied_beside(const engine* e, int k);
// the state in the input block a moment h later along the accelerations a
void engine_glide(engine* e, double h, const double* a);

// expressions to be evaluated with every row; false with errors noted
bool engine_watch(engine* e, int count, const expr* list, base_notes* notes);

// numbers for the params that never change; of large systems long sums stay shared
void engine_numbers(const engine_program* p, int count, const expr* list, expr* fixed);
// expressions with fixed params as numbers and corners on their sides; EXPR_NONE where one divides
// by zero
void engine_fix(const engine_program* p, int count, const expr* list, expr* fixed);
// make machine code of what is evaluated again and again, before the first step
void engine_native(engine* e);
// recount the active rows after `active` was changed, in its parts, too
void engine_rows(engine* e);
// put t and the params with their rates at t into the input block
void engine_params_at(engine* e, double t);
static inline void engine_time(engine* e, double t)
{
  e->in[0] = t;
  if (e->p || e->delays) engine_params_at(e, t);
}
// Of states, numbers that were just stored one by one: a wider load, as that of memcpy, would wait
// until all of them have reached the cache.
static inline void engine_copy(int count, const double* from, double* to)
{
  for (int i = 0; i < count; i++) to[i] = from[i];
}
// how far a change has come at t + rest: 0 at its start, 1 at its end
double engine_ramp_phase(const engine_ramp* r, double t, double rest);
void engine_state(engine* e, double t, const double* q, const double* v);

// Accelerations for the sides given, without looking for those that hold: by full matrices, for
// many coordinates, along the branch of a constraint nonlinear in them. 0, or 1 with e->reason.
int engine_plain_accelerations(engine* e);
int engine_sparse_accelerations(engine* e);
int engine_curved_accelerations(engine* e);
// the same together with reactions, controls and the values of held corners, for coupled systems;
// while e->deciding the sides of corners in the reactions are found, too
int engine_coupled_accelerations(engine* e);
// the same for the sides as they are
int engine_coupled_solve(engine* e);
// the equations of motion with their forces, and how these change with reactions and sides, into
// coupling_out: n by m, n by corners; then how rates of corners change with accelerations
void engine_coupled_see(engine* e);
// How accelerations, forces of constraints and the sides of held corners answer forces, in the rows
// that the mode names: first those of the forces and slopes evaluated last, about what the input
// block holds, then what each unit of the forces given (count by n) adds. hold: held corners have
// their sides so. 0, or 1 with e->reason.
typedef struct engine_answers
{
  double *w, *lambda, *side; // count + 1 of n, m and as many as there are corners
} engine_answers;
int engine_coupled_answers(engine* e, bool hold, int count, const double* force,
                           const engine_answers* out);
// choose the constraints that lead the controls at the state in the input block
void engine_control_rows(engine* e);
// does constraint k give a reaction along its own gradient?
bool engine_is_ideal(const engine* e, int k);

// Rows of A, their norms, and the masses on the diagonal of M, as evaluated last
double engine_row_dot(const engine* e, int k, const double* x);
double engine_row_norm(const engine* e, int k);
double engine_level_norm(const engine* e, int k); // the same of the levels kernel
double engine_mass_of(const engine* e, int i);
// what coordinates are measured by (weights.c), at the state whose M was evaluated last
void engine_masses_here(engine* e, double* mass);

// reactions of least norm at the accelerations just computed, into e->lambda; returns what is left
double engine_plain_reactions(engine* e);
// the same for the constraints used in steps alone, those set aside carrying nothing
void engine_kept_reactions(engine* e);
// is the motion at the state in the input block given from outside?
bool engine_is_passing(engine* e);

// Factor the rows that hold as evaluated last with the equations of motion: their rank
int engine_factor(engine* e);
// The rows that bind velocities at the engine's positions, A v = -a0, into Ar and br: how many
int engine_velocity_level(engine* e);
// Factor the rows that bind velocities at the engine's positions: their rank; Z is then their null
// space, Ar and br hold A and the right side of A v = -a0, margin how near a loss of rank is.
int engine_velocity_rows(engine* e);
// do the active constraints give all velocities, and not only rest?
bool engine_is_led(const engine* e);

// Coordinates are measured by the masses they have at the state in the input block, from here on:
// in the linear problem, in distances, in how near rows are to a loss of rank (weights.c). Not
// while steps are made.
void engine_weigh(engine* e);
// Sizes of places or velocities that are like x: each such that it has as much energy as the
// largest of x has, of those it knows of. 0 where these are zero.
void engine_sizes(const engine* e, const double* x, double* size);
// sizes of the places and velocities in the input block, 2n; where all are zero one, and that
// places change by themselves within the run
void engine_state_sizes(const engine* e, double* size);

// how near a loss of rank the constraints are at the state in the input block, into e->margin
void engine_see_margin(engine* e);

// largest residual of each level at the state in the input block, per constraint; distances: f over
// the norm of its gradient. Arrays of m, may be null.
void engine_residuals(engine* e, double* position, double* velocity);
// the same from what e->levels gave last, as after engine_project
void engine_residuals_found(const engine* e, double* position, double* velocity);

// Move e->q to the nearest point of the position constraints, e->v to the nearest admissible
// velocity. Returns 0, or 1 with e->reason. *moved is set when anything changed noticeably.
int engine_project(engine* e, bool* moved);
int engine_project_found(engine* e, bool* moved); // the levels of the state are evaluated
int engine_project_positions(engine* e, bool* moved);
// v+ with Z^T (M (v+ - v) - g) = 0 and f1(v+) = 0: the admissible velocity after an impulse g
// (null: none), i.e. the nearest in the metric of the kinetic energy. Changes e->v.
int engine_kick(engine* e, const double* g);
// the same where controls act: their impulses are along their own directions
bool engine_kick_by_controls(const engine* e);
int engine_kick_controls(engine* e, const double* g);

// What the table shows of a contact beyond coordinates and quasi-velocities of the model: its own
// coordinates, their rates, its speeds, the force, the moment of friction. Returns how many.
enum { ENGINE_CONTACT_COLUMNS = 2 * MODEL_CONTACT_COORDS + 9 };
int engine_contact_columns(const model_contact* c, expr* out);
int engine_contact_names(const model_contact* c, base_arena* a, const char** name,
                         const char** unit);
int engine_contacts_shown(const model* m); // columns of all contacts

// The switching functions at the instant in the block of inputs and their rates, of those at which
// the motion stands with its rate the second one, into e->work.switching
void engine_corner_rates(engine* e);

// value of an expression at the state in the input block (slow; for changes and bounds of a run)
double engine_value(engine* e, expr x);
void engine_values(engine* e, int count, const expr* x, double* out);
// the same of an expression that every run asks for: how it is evaluated is kept with the program
double engine_value_again(engine* e, expr x);

// Find the active constraints that depend on those before them at and around this state, and set
// them aside: beside the constraint surface, where the stages of a step lie, they would look
// independent. Returns how many.
int engine_set_aside(engine* e);
// x somewhere within `share` of its size (null: one) about `from`, each of its n entries, the same
// for the same seed
void engine_shake(double* x, int n, const double* from, double share, const double* size,
                  uint64_t* seed);
// take from x what the orthonormal rows of Q have of it; returns the norm of what is left
double engine_left_over(int kept, int n, const double* Q, double* x);

// the next end of a smooth change after t, or infinity
double engine_ramp_next(const engine* e, double t);

// ---- lists of expressions that kernels are made of ----------------------------------------------

// guards of contacts, coefficients of friction, normal forces
int engine_guard_count(const model* m);
void engine_guard_list(const model* m, expr_pool* p, expr* out);
// what is looked at of the nearest point of a base, into `out` if not null; how many
int engine_foot_list(const model* m, expr* out);

// ---- how near the rows that bind velocities are to a loss of rank -------------------------------

// The rows of A that bind velocities, each over its largest norm along the run: a row of length
// zero counts like rows that have become dependent. W A = diag(sigma) U.
typedef struct engine_rank
{
  engine* e;
  int rows, n;
  double* seen; // largest squared norm of each constraint's row so far
  double* over; // one over that norm; 1 where none was seen
  double* A;    // rows by n
  double *U, *W, *sigma, *slope;
  double *up, *down, *state, *G, *x; // work space; x: left vector of the least, as found last
  num_null* null;
  double way;      // over which the rows changed a little when their rates were found last
  double shortest; // squared length of the shortest of the rows measured last, at most 1
} engine_rank;

engine_rank* engine_rank_new(engine* e);
// Does the row of constraint k count? It binds velocities, and its reaction acts along it: rows
// that controls hold may follow from each other all the time.
bool engine_rank_counts(const engine* e, int k);
// the rows at the state for which e->levels was run last; seen: it is one of the motion, and their
// norms count
void engine_rank_take(engine_rank* k, bool seen);
// smallest singular value of the rows taken, nearly; 0 where they have lost rank
double engine_rank_margin(engine_rank* k);
// Smallest pivot of the rows measured last over their largest, as e->margin has it; where their
// smallest singular value, sigma, shows that it is beyond engine_near_singular, a bound from below
double engine_rank_pivot(engine_rank* k, double sigma);
// singular values of the rows at the state in the input block, and their rates along its velocity
void engine_rank_values(engine_rank* k);
// the rows at q + h v, t + h over the state in the input block, which stays
void engine_rank_ahead(engine_rank* k, double h, double* A);

// ---- many coordinates ---------------------------------------------------------------------------

struct engine_sparse
{
  num_rows M, A;                   // their patterns; those of the system
  int M_count, A_count;            // entries
  int* diagonal;                   // where M_ii is
  const double *M_value, *A_value; // as evaluated last, in the engine's block
  num_saddle* motion;              // M a = F + A^T Lambda, A a = c
  bool stiff;                      // M alone is singular: see num/saddle.c
  bool factored;                   // the factor belongs to some state near the present one
  bool* use;                       // rows that hold and are not set aside
  double* lambda;                  // as found with the accelerations
  double *f, *c, *x, *y;           // work space: n, m, n, m
  double* unit;                    // entries of a unit matrix in the pattern of M
  double *measured, *size;         // A with rows of one size, and the sizes of its rows: m
};

// largest acceleration a single reaction would give: what is small against it is rounding
double engine_sparse_push(const engine* e);
// W = a + Gamma, M Gamma = h, split in the metric of M (point.c); nan where M is singular
void engine_sparse_split(engine* e, const double* a, double* Gamma, double* WL, double* WK);

// Initial equations: count residuals F and their derivatives by q and v, sparse.
// x += step of least weighted norm towards F = 0 for the rows taking part; returns 0 when solved.
typedef struct engine_sparse_newton
{
  engine* e;
  int count;           // of equations
  num_rows J;          // by the 2n unknowns q, v
  const double* value; // F, then the entries of J, as `evaluate` leaves them
  void (*evaluate)(void* context);
  void* context;
  const double *weight, *size; // 2n: of the unknowns in units of their sizes
} engine_sparse_newton;
bool engine_sparse_solve(const engine_sparse_newton* w, int rows, const int* row, int offset,
                         int unknowns);

// ---- constraints nonlinear in the accelerations -------------------------------------------------

enum { ENGINE_CURVED_DEGREE = 6, ENGINE_CURVED_MINIMA = 16 };

struct engine_curved
{
  code_kernel* kernel; // f, df/dq'', d2f/dq''2 of every such constraint
  int count;           // of such constraints
  int* of;             // their numbers
  int* degree;         // as polynomials in the accelerations, 0: none
  double* out;
  // the problem at the state last set up
  int active, *now; // those that hold
  int l;
  double *ap, *Z, *H, *r;
  least_stationary* solver;
  least_monomial* term;
  int term_room;
  // the branch followed: its place at the start of the step, and at the state last evaluated
  double *anchor_a, *anchor_lambda, *found_lambda;
  double *rival_a, *rival_lambda; // another branch that has become less
  double U;
  bool lost;              // the branch was not found at the state last evaluated
  bool late;              // the rival was less already when the step began
  int looked, *looked_at; // the constraints that held when all minima were last looked for
  // local minima at the state last looked at
  int minima;
  least_stationary_point minimum[ENGINE_CURVED_MINIMA];
  bool complete, continuum;
};

// the branch as it is at the engine's accelerations is the one to follow from here
void engine_curved_anchor(engine* e);
// take the least of all; where several are least, with `ahead` the one that is the least a moment
// later. 0, or 1 with e->reason.
int engine_curved_choose(engine* e, bool ahead);
// is another minimum less than the branch followed here? it is the rival then
bool engine_curved_find_rival(engine* e);
// how far above the branch followed the rival lies; infinite where it does not exist yet
double engine_curved_lead(engine* e);
// gain of Gauss's function at the admissible accelerations nearest to some thrown far around those
// of the engine (one number of -1 .. 1 per direction), relative to the distance
double engine_curved_gain(engine* e, const double* thrown);
// Places in which such constraints may hold: the system itself, or its parts (curved_parts.c). Does
// one hold there? Its engine with the instant lent to it. The first that holds, by its name.
int engine_curved_places(const engine* e);
bool engine_curved_holds(const engine* e, int which);
engine* engine_curved_enter(engine* e, int which);
const char* engine_curved_name_at(const engine* e, int which);
// the place whose branch was not found at the state last evaluated, -1
int engine_curved_lost(const engine* e);
// are all minima known where the branches were chosen last?
bool engine_curved_complete(const engine* e);
// accelerations of the branches followed, at the start of the step
void engine_curved_anchored(const engine* e, double* a);
// how much the accelerations in a place differ from those before, relative to their size; *most:
// the coordinate where they differ most
double engine_curved_change(const engine* e, int which, const double* before, int* most);
