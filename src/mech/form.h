// Private to mech: what the files of the forms share.
#pragma once

#include "mech/mech.h"

// Expressions are simplified in systems with at most this many distinct nodes, and where they have
// few themselves: a long one costs much and hardly becomes shorter.
#define MECH_SMALL 1500
#define MECH_SHORT 50
size_t mech_size(const mech_system* s);

void mech_gradient(const mech_system* s, expr e, const expr* by, expr* out); // n derivatives
// of a constraint, which mostly knows few of many coordinates: those not zero
void mech_row_slopes(const mech_system* s, const expr_index* index, const expr* by, expr e,
                     expr_slope_list* out);

// M and h by d'Alembert's principle where that is shorter
void mech_dalembert(mech_system* s);
// Is T so large that M and h by it are not worth a trial? Then they are made from the masses alone.
bool mech_dalembert_alone(const mech_system* s);
void mech_dalembert_fill(mech_system* s);
// Does nothing but a chain of masses move, so that it runs joint by joint whatever M and h are?
// Then they need not be made from T, but for people.
bool mech_dalembert_moves(const mech_system* s);
// Is T so large that it is worth a pass for all derivatives at once?
bool mech_is_large(const mech_system* s);
// do all masses rest where the velocities are zero? then T is of second degree in them
bool mech_dalembert_rests(const mech_system* s);
// M and h from the masses row by row; null where the masses do not hang on many coordinates each
typedef struct mech_masses mech_masses;
mech_masses* mech_masses_chained(const mech_system* s);
void mech_masses_row(mech_masses* w, int j, expr_slope_list* out); // M_ji for i <= j, not zero
void mech_masses_rest(mech_masses* w, expr* h);
const model_tree* mech_masses_tree(const mech_masses* w); // null: they do not hang so
void mech_masses_free(mech_masses* w);
// The same from T, whatever it is made of. The momenta p = dT/dq' are put out; they must stay.
typedef struct mech_hessian mech_hessian;
mech_hessian* mech_hessian_new(const mech_system* s, expr T, expr* p);
mech_hessian* mech_hessian_of(const mech_system* s, const expr* p);  // rows alone, from momenta
void mech_hessian_row(mech_hessian* w, int i, expr_slope_list* out); // M_ij for j <= i, not zero
void mech_hessian_rest(mech_hessian* w, expr* h);
void mech_hessian_free(mech_hessian* w);

// ---- the forms: one file each base, listed in the table of form.c -------------------------------

extern const mech_form mech_form_lagrange;
extern const mech_form mech_form_lagrange_independent;
extern const mech_form mech_form_maggi;
extern const mech_form mech_form_bychkov;
extern const mech_form mech_form_appell;
extern const mech_form mech_form_appell_independent;
extern const mech_form mech_form_appell_substituted;
extern const mech_form mech_form_appell_pseudo;
extern const mech_form mech_form_nielsen;
extern const mech_form mech_form_nielsen_independent;
extern const mech_form mech_form_nielsen_pseudo;
extern const mech_form mech_form_tzenov;
extern const mech_form mech_form_tzenov_independent;
extern const mech_form mech_form_tzenov_pseudo;
extern const mech_form mech_form_hamel;
extern const mech_form mech_form_voronets;
extern const mech_form mech_form_chaplygin;
extern const mech_form mech_form_kane;
extern const mech_form mech_form_hamilton;
extern const mech_form mech_form_gauss;
extern const mech_form mech_form_udwadia;

// ---- making the equations of a form -------------------------------------------------------------

mech_equations* mech_equations_new(const mech_form* form);
// true, with the reason noted, where the form does not suit the model
bool mech_form_refuses(const mech_form* form, const mech_system* s, base_notes* notes);
// e, or null with the reason noted when a division by zero or the limit of expressions spoiled it
mech_equations* mech_equations_finish(mech_equations* e, const mech_system* s, base_notes* notes);

void mech_add_definition(mech_equations* e, const char* label, expr left, expr right);
void mech_add_equation(mech_equations* e, const char* label, expr left, expr right);
void mech_add_reaction(mech_equations* e, const char* label, expr left, expr right);
void mech_add_force(mech_equations* e, const char* label, expr left, expr right);
void mech_add_unknown(mech_equations* e, expr unknown);
void mech_add_residual(mech_equations* e, expr residual);
// the name is copied
void mech_add_remark(mech_equations* e, mech_remark remark);
// factor by factor, each said once; what depends on params alone is not said
void mech_add_assumption(mech_equations* e, const mech_system* s, expr assumption);

// a simpler equal expression where that is affordable
expr mech_tidy(const mech_system* s, expr e);
// sum over i of x_i y_i, the vectors with strides
expr mech_dot(expr_pool* p, int n, const expr* x, int x_stride, const expr* y, int y_stride);
expr* mech_take(base_arena* arena, int count);
// the row z M (n by n) without its zeros, for a z that mostly moves few coordinates
void mech_row_times(const mech_system* s, const expr* z, int stride, const expr* M,
                    expr_slope_list* out);
// derivatives by the symbols that e holds, ascending, those that are not zero; added to the list
void mech_add_slopes(const mech_system* s, const expr_index* index, const expr* by, expr e,
                     expr_slope_list* out);

// The two sides of the equations of some base (Lagrange, Appell, Nielsen, Tzenov):
//   sum_j M_ij a_j + h_i = G_i + what the constraints add
typedef struct mech_sides
{
  const expr *M, *h, *G;
} mech_sides;

// S without what is free of accelerations
expr mech_energy_of_accelerations(const mech_system* s);
// the same without what stands for states of first order, which have no inertia
expr mech_without_states(const mech_system* s, expr S);

mech_sides mech_sides_lagrange(const mech_system* s);
// from left sides affine in the accelerations, with the forces of the system on the right
mech_sides mech_sides_from(const mech_system* s, const expr* left, base_arena* arena);
// what belongs to no coordinate's velocity, put among such left sides: Euler's equations
void mech_sides_of_turning(const mech_system* s, expr* left);
// sum_j M_ij a_j + h_i - G_i
expr mech_sides_residual(const mech_system* s, const mech_sides* sides, int i);
expr* mech_sides_residuals(const mech_system* s, const mech_sides* sides, base_arena* arena);

// sum over i of z_i left_i = sum over i of z_i G_i + also_right, as equation and as residual
void mech_add_projected(mech_equations* e, const mech_system* s, const mech_sides* sides,
                        const char* label, const expr* z, int stride, expr also_right);
// row k of A a = c, as equation and as residual
void mech_add_constraint(mech_equations* e, const mech_system* s, int k);
// the same as a residual alone
void mech_add_constraint_residual(mech_equations* e, const mech_system* s, int k);
// accelerations as unknowns
void mech_add_accelerations(mech_equations* e, const mech_system* s);
// Lambda = R^T (left - G) / D for the rank constraints in `row`; the others carry none and say so
void mech_add_reactions(mech_equations* e, const mech_system* s, const mech_sides* sides, int rank,
                        const int* row, const expr* R, expr D, base_notes* notes);

// d/dt along the motion, in the velocities of the system
expr mech_total(const mech_system* s, expr e);
// is it the norm of a unit quaternion, which no force holds?
bool mech_is_norm(const mech_system* s, int k);
bool mech_is_velocity(const mech_system* s, expr symbol);
// does it depend on time, places or velocities?
bool mech_is_of_state(const mech_system* s, expr e);

// ---- names --------------------------------------------------------------------------------------

bool mech_name_is_taken(const model* m, const char* name);
// the name wished for, with underscores until nobody has it
const char* mech_name_free(const mech_system* s, base_arena* arena, const char* wish);
expr mech_name_symbol(const mech_system* s, base_arena* arena, const char* wish,
                      const char* primes);
