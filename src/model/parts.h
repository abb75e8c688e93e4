// One function for each kind of statement: from the syntax tree into the model.
#pragma once

#include "model/scope.h"

// collect.c
void model_collect(model_scope* s, base_arena* scratch);

// param.c
void model_param_begin(model_scope* s, model_entry* e);
void model_param_resolve(model_scope* s, model_entry* e);

// coord.c
void model_coord_begin(model_scope* s, model_entry* e);
// rates and marks of its symbols, and the dimension of its unit
void model_coord_mark(model_scope* s, const model_coord* x, expr jerk, int number);
model_dim model_coord_dim(model_scope* s, lang_unit unit);
// a coordinate that another declaration makes: OWNER.part
model_entry* model_coord_make(model_scope* s, const model_entry* owner, const char* part,
                              const char* unit, int start);
// the parts of a unit vector or quaternion, at first all zero but for one
void model_coord_make_vector(model_scope* s, const model_entry* owner, int count,
                             const char* const* part, int which, int start);

// orientation.c
void model_orientation_declare(model_scope* s, model_entry* e);
void model_orientation_build(model_scope* s);
// a body without `in F`: three coordinates of its origin and a quaternion
void model_orientation_own(model_scope* s, model_entry* body);
// its angular velocity as quasi-velocities, where no contact brings its own
void model_orientation_own_speeds(model_scope* s, model_entry* body);
// axes and origin of its frame
void model_orientation_place(model_scope* s, model_entry* body);

// surface.c
void model_surface_resolve(model_scope* s, model_entry* e);

// roll.c
void model_roll_declare(model_scope* s, model_entry* e);
void model_roll_resolve(model_scope* s, model_entry* e);
// roll_momenta.c
void model_roll_momenta(model_scope* s);

// let.c
void model_let_resolve(model_scope* s, model_entry* e);
void model_quasi_resolve(model_scope* s, model_entry* e);
void model_output_resolve(model_scope* s, model_entry* e);
void model_output_build(model_scope* s, const model_entry* e);
// which coordinate the symbol x, x' or x'' belongs to, and its primes; -1 for anything else
int model_coord_of(const model_scope* s, expr e, int* primes);
// "m/s" of a value, as the user wrote it where the value is a coordinate
const char* model_unit_of(model_scope* s, expr e, model_dim d);

// spring.c: springs and pulls, and their lengths, rates, forces, energies
void model_spring_declare(model_scope* s, model_entry* e);
void model_spring_resolve(model_scope* s, model_entry* part);
// what a part of it needs: expressions (some null), their number returned, and other parts (or
// null)
int model_spring_needs(const model_scope* s, const model_entry* part, const lang_node* node[6],
                       model_entry* other[2]);
model_entry* model_spring_energy(const model_scope* s, const lang_statement* st);
// a pull beside that of the energy, and the rate of the length; false: none, or errors noted
bool model_spring_pull(model_scope* s, const lang_statement* st, expr* pull, expr* rate);

// bushing.c: false with errors noted; damping against six rates
bool model_bushing_energy(model_scope* s, const lang_statement* st, expr* out);
bool model_bushing_length(model_scope* s, const lang_statement* st, expr* out);
bool model_bushing_force(model_scope* s, const lang_statement* st, expr* out);
bool model_bushing_drag(model_scope* s, const lang_statement* st, expr pull[6], expr rate[6]);

// joint.c: bodies placed by joints, and joints that close loops
void model_joint_find(model_scope* s); // which joints place which bodies, before anything else
void model_joint_declare(model_scope* s, model_entry* e);
void model_joint_attach(model_scope* s); // once all names are known
void model_joint_place(model_scope* s, model_entry* body);
void model_joint_resolve(model_scope* s, model_entry* e);
bool model_joint_places(const model_entry* e); // else it closes a loop
void model_joint_list(model_scope* s);         // for whoever asks what they are
// joint_force.c: what joints do
void model_joint_release(model_scope* s);
void model_joint_release_name(model_scope* s); // once the coordinates have symbols
enum { MODEL_JOINT_FORCE, MODEL_JOINT_MOMENT, MODEL_JOINT_POWER };
model_value model_joint_call(model_scope* s, const lang_node* n, model_entry* e, int part,
                             int which);

// joint_frame.c: axes turned about a fixed direction of theirs; false with errors noted
bool model_joint_frame_about(model_scope* s, const lang_node* direction, expr angle,
                             const model_axes** axes);

// place_read.c: a vector of the axes of `in` as a place; false with errors noted
bool model_place_vector(model_scope* s, const lang_node* n, const char* what, expr r[3],
                        model_dim* length);

// frame.c
void model_frame_resolve(model_scope* s, model_entry* e);
void model_point_resolve(model_scope* s, model_entry* e);
// axes turned once more; false with errors noted
bool model_frame_rotate(model_scope* s, const lang_rotation* r, const model_axes** axes);

// body.c
void model_body_resolve(model_scope* s, model_entry* e);
void model_particle_mass(model_scope* s, model_entry* e, const expr r[3]);

// body_shape.c: bodies from shapes
// a length that is not negative; false with errors noted
bool model_shape_length(model_scope* s, const lang_node* n, const char* what, expr* e);
// volume, area or length of the shape, for a density
bool model_shape_measure(model_scope* s, const lang_statement* st, expr* measure, int* lengths);
// J across the axis N and along it: J = across E + (along - across) N N^T/|N|^2
bool model_shape_revolve(model_scope* s, const lang_node* n, const expr N[3], expr across,
                         expr along, model_mass* b);
bool model_shape_inertia(model_scope* s, const lang_statement* st, model_entry* e);

// energy.c
// the field of a `gravity` statement, in the axes of the world
bool model_energy_gravity(model_scope* s, const lang_statement* st, expr g[3]);
void model_kinetic_resolve(model_scope* s, model_entry* e);
void model_potential_resolve(model_scope* s, model_entry* e);
void model_mass_centre(model_scope* s, const model_mass* b, expr r[3]);
// weights of the points: of the mean and of the second moments
expr model_mass_mean(model_scope* s, const model_mass* b, int i);
expr model_mass_moment(model_scope* s, const model_mass* b, int i, int j);
void model_mass_angular(model_scope* s, const model_mass* b, expr L[3]); // J spin

// simpler.c
expr model_simpler(model_scope* s, expr e);

// momentum.c
void model_momentum(model_scope* s, expr out[3]);
void model_angmomentum(model_scope* s, const model_place* about, expr out[3]);

// force.c: is the constraint or contact of this name released or imposed somewhere?
bool model_force_switches(const model_scope* s, const char* name);

// friction.c
// Tangential velocity `slip` of the contact c of a constraint with friction, one part or two, and
// `pressure`: the normal force over the reaction. False with errors noted.
// one coefficient, or two along the axes of the slip in brackets; how many, 0 with errors noted
int model_friction_read(model_scope* s, const lang_node* n, const char* name, model_dim dim,
                        expr mu[2]);
bool model_friction_geometry(model_scope* s, const model_entry* e, model_constraint* c);
// The speed of the slip of c; of one in space sqrt(u1^2 + u2^2 + h), h = 1 while it is held: no
// root of a rounding below zero then. And the coefficient in the force of what slips.
expr model_friction_speed(model_scope* s, const model_constraint* c);
expr model_friction_held_speed(model_scope* s, const model_constraint* c);
expr model_friction_in_force(model_scope* s, const model_constraint* c);
// slip(NAME) in a coefficient of its own friction, and what that is with the slip of each point
expr model_friction_own_slip(model_scope* s, const model_entry* e);
expr model_friction_with_own_slip(model_scope* s, const model_entry* e, expr mu,
                                  const model_constraint* c);
// Two coefficients along the axes of a slip as m r_k, r_k without velocities; and so for the slips
// that c has. False with errors noted.
bool model_friction_axes(model_scope* s, const model_entry* e, const lang_node* n, const expr mu[2],
                         expr* m, expr r[2]);
bool model_friction_stretch(model_scope* s, const model_entry* e, const expr mu[2],
                            model_constraint* c);
// meeting.c: of a contact between shapes, and of its points
bool model_meeting_friction(model_scope* s, const model_entry* e);

// force.c
void model_force_build(model_scope* s);
// coefficient and slip of what has friction, read once; false where it has none, or errors noted
bool model_force_friction(model_scope* s, model_entry* e);
// the first of its equations, which carries its friction; -1: they all hold by themselves
int model_force_row(const model_entry* e);

// results.c: gap, friction, slip, state, loss of a contact
model_value model_results_call(model_scope* s, const lang_node* n, int which);
// the normal force of contacts between shapes
model_value model_results_reaction(model_scope* s, const model_entry* e);

// constraint.c
void model_constraint_resolve(model_scope* s, model_entry* e);
// sense, restitution and law of impact, as written; false with errors noted
bool model_constraint_impact(model_scope* s, const lang_statement* st, model_constraint* c);
int model_constraint_pieces(model_scope* s, const lang_statement* st, expr* a, expr* b);
// what holds only while another does
void model_constraint_conditions(model_scope* s);
// the next constraint of the model: its number
int model_constraint_append(model_scope* s, model_constraint c);
int model_highest_order(model_scope* s, expr e); // highest derivative of a coordinate; -1: none

// meeting.c: contacts between shapes
void model_meeting_declare(model_scope* s, model_entry* e); // once all names are known
void model_meeting_resolve(model_scope* s, model_entry* e);

// initial.c
void model_initial_build(model_scope* s);
// one equation; appends to the list
typedef BASE_LIST(model_initial) model_initials;
bool model_initial_add(model_scope* s, const lang_node* left, const lang_node* right, bool guess,
                       base_place place, model_initials* list);
// an attitude: initial rotation(B) = z(0.1) x(pi/2)
void model_initial_rotation(model_scope* s, const lang_statement* st, model_initials* list);
void model_initial_contradictions(model_scope* s, const model_initials* list);

// table.c
void model_table_resolve(model_scope* s, model_entry* e);
// an input is that file's, over time
void model_table_given(model_scope* s, model_entry* e, const char* path);
// events that end the motion where a table is left
void model_table_watch(model_scope* s);

// delay.c
model_value model_delay_call(model_scope* s, const lang_node* n, int which);
void model_delay_build(model_scope* s);
// meeting_footing.c: what features of shapes are made of becomes the last of the params
void model_meeting_build(model_scope* s);
// is nothing in it delayed? else that is an error
bool model_delay_free(model_scope* s, const lang_node* n, expr f, const char* what);
// state.c
void model_state_begin(model_scope* s, model_entry* e);
// their numbers, behind those of all coordinates
void model_state_number(model_scope* s);
expr model_state_inertia(model_scope* s);
// by their numbers; EXPR_NONE where there is none, which is an error
void model_state_rates(model_scope* s, expr* rate);
void model_state_starts(model_scope* s, model_initials* list);
// does nothing in it change with a state? else that is an error
bool model_state_free(model_scope* s, const lang_node* n, expr f, const char* what);

// stage.c
void model_stage_build(model_scope* s);

// mechanism.c: a model of kinematics alone
void model_mechanism_build(model_scope* s);

// wish.c
void model_wish_build(model_scope* s);

// show.c
void model_show_build(model_scope* s);
