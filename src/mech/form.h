// Private to mech: what the files of the forms share.
#pragma once

#include "mech/mech.h"

// Expressions are simplified in systems with at most this many distinct nodes, and where they have
// few themselves: a long one costs much and hardly becomes shorter.
#define MECH_SMALL 1500
#define MECH_SHORT 50
size_t mech_size(const mech_system* s);

// ---- the forms: one file each, listed in the table of form.c
// -------------------------------------

extern const mech_form mech_form_lagrange;
extern const mech_form mech_form_maggi;

// ---- making the equations of a form
// ---------------------------------------------------------------

// empty equations with room for so many of each
typedef struct mech_room
{
  int definitions, equations, reactions, unknowns, residuals, assumptions;
} mech_room;
mech_equations* mech_equations_new(const mech_form* form, mech_room room);

void mech_add_definition(mech_equations* e, const char* label, expr left, expr right);
void mech_add_equation(mech_equations* e, const char* label, expr left, expr right);
void mech_add_reaction(mech_equations* e, const char* label, expr left, expr right);
void mech_add_unknown(mech_equations* e, expr unknown);
void mech_add_residual(mech_equations* e, expr residual);
void mech_add_assumption(mech_equations* e, expr assumption);

// a simpler equal expression where that is affordable
expr mech_tidy(const mech_system* s, expr e);
// sum over i of x_i y_i, the vectors with strides
expr mech_dot(expr_pool* p, int n, const expr* x, int x_stride, const expr* y, int y_stride);
// E_i - G_i = sum_j M_ij a_j - F_i
expr mech_lagrange_residual(const mech_system* s, int i);
// sum over i of z_i E_i = sum over i of z_i G_i, ready to be read: accelerations collected
void mech_add_projected(mech_equations* e, const mech_system* s, const char* label, const expr* z,
                        int stride, expr also_right);
// row k of A a = c, as equation and as residual
void mech_add_constraint(mech_equations* e, const mech_system* s, int k);
