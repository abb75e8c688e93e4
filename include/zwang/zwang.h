// zwang: write a mechanical system as a textbook does, get its equations and its motion.
//
// Text becomes a model, a model gives a system, a system runs and leaves a track:
//
//   zw_notes* notes = zw_notes_new();
//   zw_model* model = zw_model_read("skater.zw", NULL, 0, notes);
//   zw_system* system = zw_derive(model, notes);
//   zw_run_options o = zw_run_defaults();
//   zw_track* track = zw_run(system, &o, notes);
//   double x = zw_track_value(track, zw_track_rows(track) - 1, zw_track_column(track, "x"));
//
// Every function that can fail returns null or a status below zero and leaves the reason in the
// notes; use one zw_notes for a model and everything made of it. Every zw_*_free accepts null.
// An argument that is null where something is needed, freed, out of range or not a number is not
// touched: it is answered by null, nan, zero or ZW_BAD_INPUT, and by a note where there are notes.
// What an object was made of may be freed before it.
//
// Where memory runs out a function returns as where it fails, with the note that says so; nothing
// else of the program is touched. The model that was worked on, and what was made of it, may be
// half changed: they can be freed, tracks can be read and written, all else is refused. GMP and
// jansson, which have one set of memory functions for the whole program, are told to take memory so
// that it can be given back, unless the program has set functions of its own before; blocks stay
// those of malloc. Texts that are returned as `char*` belong to the caller: zw_text_free. A model
// and what is made of it may be used by one thread at a time; different models are independent.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZW_API     __attribute__((visibility("default")))
#define ZW_CHECKED __attribute__((warn_unused_result))

// ---- status -------------------------------------------------------------------------------------

// zero: done; above zero: stopped for a good reason; below zero: failed
#define ZW_STATUS_LIST(X)                                                              \
  X(ZW_OK, 0, "done")                                                                  \
  X(ZW_STOPPED, 1, "a stop event of the model was reached")                            \
  X(ZW_INTERRUPTED, 2, "interrupted; what was computed is kept")                       \
  X(ZW_UNFINISHED, -1, "the run could not be finished; what was computed is kept")     \
  X(ZW_BAD_INPUT, -2, "the input is wrong")                                            \
  X(ZW_NO_ROOM, -3, "a limit of the machine was reached: memory, or room on the disk") \
  X(ZW_DOUBTFUL, -4, "done, but the numbers are not to be trusted")

typedef enum zw_status {
#define X(NAME, VALUE, TEXT) NAME = VALUE,
  ZW_STATUS_LIST(X)
#undef X
} zw_status;

// One line of English for a status.
ZW_API const char* zw_status_text(zw_status s);
ZW_API const char* zw_version(void);
ZW_API void zw_text_free(char* text);

// ---- notes: what the user is told ---------------------------------------------------------------

typedef enum zw_level { ZW_INFO, ZW_WARNING, ZW_ERROR } zw_level;
typedef struct zw_notes zw_notes;

ZW_API zw_notes* zw_notes_new(void);
ZW_API void zw_notes_free(zw_notes* n);
ZW_API int zw_notes_count(const zw_notes* n);
ZW_API int zw_notes_errors(const zw_notes* n);
ZW_API zw_level zw_notes_level(const zw_notes* n, int i);
// The note as it is shown: file, line, column, the line itself, a caret, the reason and a way out.
ZW_API const char* zw_notes_text(const zw_notes* n, int i);

// ---- model --------------------------------------------------------------------------------------

typedef struct zw_model zw_model;

// `sets` are params to override, each "NAME=VALUE" with VALUE an expression. Null with errors
// noted.
ZW_API ZW_CHECKED zw_model* zw_model_read(const char* path, const char* const* sets, int set_count,
                                          zw_notes* notes);
// The same for a text in memory, called `name` in messages; such a text cannot `use` files.
ZW_API ZW_CHECKED zw_model* zw_model_read_text(const char* name, const char* text, size_t length,
                                               const char* const* sets, int set_count,
                                               zw_notes* notes);
// The same for kinematics alone: masses and inertias may be missing, forces count for nothing, and
// runs tell places, velocities and accelerations. All velocities are to be determined by
// constraints and drives, "NAME=FROM..TO" evenly over the run, or "NAME=EXPRESSION" of t. until:
// end of the run in s; nan: the model's own, 1 s where it has none.
ZW_API ZW_CHECKED zw_model* zw_mechanism_read(const char* path, const char* const* sets,
                                              int set_count, const char* const* drives,
                                              int drive_count, double until, zw_notes* notes);
ZW_API ZW_CHECKED zw_model* zw_mechanism_read_text(const char* name, const char* text,
                                                   size_t length, const char* const* sets,
                                                   int set_count, const char* const* drives,
                                                   int drive_count, double until, zw_notes* notes);
ZW_API void zw_model_free(zw_model* m);
ZW_API const char* zw_model_title(const zw_model* m);
ZW_API int zw_model_coords(const zw_model* m);
ZW_API const char* zw_model_coord(const zw_model* m, int i);
ZW_API int zw_model_constraints(const zw_model* m);
ZW_API const char* zw_model_constraint(const zw_model* m, int k);
// The text of a model with blanks and indents as is the custom, to be freed with zw_text_free();
// null with errors noted where it holds what the language does not know.
ZW_API ZW_CHECKED char* zw_format(const char* name, const char* text, size_t length,
                                  zw_notes* notes);
// the params of the text, and of the parts that it takes in, in their order
ZW_API int zw_model_params(const zw_model* m);
ZW_API const char* zw_model_param_name(const zw_model* m, int i);
// value of a param in SI; nan if there is none of that name
ZW_API double zw_model_param(const zw_model* m, const char* name);
// Where a coordinate ("x") or its velocity ("x'") starts, in SI, in place of what the model says;
// before zw_derive. A guess stays a guess. ZW_OK or ZW_BAD_INPUT.
ZW_API zw_status zw_model_start(zw_model* m, const char* name, double value, zw_notes* notes);
// From here on the value of the param is given with each evaluation, so that equations for all
// values of it are the same: what is followed over it is then derived once. Before zw_derive. False
// where there is no such param, which is an error, or for other values of it the model is another
// one.
ZW_API bool zw_model_give(zw_model* m, const char* name, zw_notes* notes);

// ---- editors ------------------------------------------------------------------------------------

// What an editor asks of texts that are open in it, by messages of the language server protocol
// (JSON, without the header that says how long they are).
typedef struct zw_editor zw_editor;
ZW_API ZW_CHECKED zw_editor* zw_editor_new(void);
ZW_API void zw_editor_free(zw_editor* e);
// The messages to be sent for one that has come, each on a line of its own; to be freed with
// zw_text_free(). Null where memory runs out, with the reason noted.
ZW_API ZW_CHECKED char* zw_editor_take(zw_editor* e, const char* message, size_t length,
                                       zw_notes* notes);
// Has it been told to end? `status` (may be null): 0 in good order, else 1.
ZW_API bool zw_editor_ended(const zw_editor* e, int* status);

// ---- equations ----------------------------------------------------------------------------------

typedef struct zw_system zw_system;

ZW_API ZW_CHECKED zw_system* zw_derive(zw_model* m, zw_notes* notes);
ZW_API void zw_system_free(zw_system* s);

// The equations of motion in a form ("lagrange", "maggi"), as "text", "latex", "c" or "json".
ZW_API ZW_CHECKED char* zw_equations(zw_system* s, const char* form, const char* style,
                                     zw_notes* notes);
// The functions that forms are made from, named with commas between: "T,V,T',T'',S,R,g,gamma"; as
// "text", "latex" or "json".
ZW_API ZW_CHECKED char* zw_functions(zw_system* s, const char* names, const char* style,
                                     zw_notes* notes);
// Whether the model has this form; the reason why not is noted.
ZW_API ZW_CHECKED bool zw_form_suits(const zw_system* s, const char* form, zw_notes* notes);
// Which forms suit the model and why others do not; "text" or "json".
ZW_API ZW_CHECKED char* zw_forms(zw_system* s, const char* style, zw_notes* notes);
// What the model is: coordinates, degrees of freedom, constraints, integrability, the initial
// state.
ZW_API ZW_CHECKED char* zw_check(zw_system* s, const char* style, zw_notes* notes);

// ---- one state ----------------------------------------------------------------------------------

typedef struct zw_point zw_point;

// Accelerations and reactions at the model's initial state, or at `state` ("x=1, x'=2"; what it
// does not mention is taken from the initial state as a guess). `form` null: the common linear
// problem.
ZW_API ZW_CHECKED zw_point* zw_eval(zw_system* s, const char* form, const char* state,
                                    zw_notes* notes);
// Adds the released and the comparison system of the principle of least constraint, without the
// constraints named ("floor,rod"; "" names none), to the text of the point. False with errors
// noted.
ZW_API ZW_CHECKED bool zw_point_release(zw_point* p, const char* names, zw_notes* notes);
ZW_API void zw_point_free(zw_point* p);
// by name: "x" gives q, "x'" the velocity, "x''" the acceleration, "reaction.NAME" the reaction;
// else nan
ZW_API double zw_point_value(const zw_point* p, const char* name);
ZW_API ZW_CHECKED char* zw_point_text(const zw_point* p, const char* style, bool explain);

// Every form against the common problem and Gauss's principle at `states` random states (0: 20);
// "text" or "json". *ok says whether all agree.
ZW_API ZW_CHECKED char* zw_verify(zw_system* s, int states, const char* style, bool* ok,
                                  zw_notes* notes);

// ---- geometry -----------------------------------------------------------------------------------

// Start from zw_geometry_defaults() and change what you need.
typedef struct zw_geometry_options
{
  const char* at;     // the point of the numbers, as "x=1, y=2"; null: the initial state
  const char* region; // of the embedding, as "x=-1..1, y=0..2"; null: where the model's run goes
  bool embed;         // look longer for the map: higher degrees, fewer dimensions
  const char* plot;   // a picture of surface and path: .svg, .png, .pdf, .gp; null: none
  bool curvature;     // metric and curvature alone: no embedding is looked for, no run made
  const char* energy; // the Jacobi metric of this energy, a number or "start"; null: that of T
  double geodesic;    // the length of a geodesic along the velocity at the point; 0: none
  const char* map;    // the map of the embedding into a file: .c a function, .json; null: none
  int cookie;         // set by zw_geometry_defaults()
} zw_geometry_options;

ZW_API zw_geometry_options zw_geometry_defaults(void);
// The kinetic energy as a metric: Christoffel symbols, curvature, whether it is flat, coordinates
// in which it is a sum of squares or a surface to move on; "text", "latex" or "json".
ZW_API ZW_CHECKED char* zw_geometry(zw_system* s, const zw_geometry_options* o, const char* style,
                                    zw_notes* notes);

// ---- stability ----------------------------------------------------------------------------------

// Start from zw_stability_defaults() and change what you need.
typedef struct zw_stability_options
{
  const char* state; // near the motion, as "x=1, x'=2"; null: the model's initial state
  double period;     // s, of a periodic motion from that state; 0: a steady motion near it
  int orbit;         // 1: a periodic motion from there, of whatever period
  const char* over;  // a param to vary, as "v=0..10", or two, as "v=0..10, w=1..2"; null: none
  int points;        // values of it; 0: 41, of two params 21 each
  int all;           // 1: further steady motions, from many starts
  const char* plot;  // eigenvalues over it: .svg, .png, .pdf, .gp; null: none
  int cookie;        // set by zw_stability_defaults()
} zw_stability_options;

ZW_API zw_stability_options zw_stability_defaults(void);
// The steady motion near a state (or the periodic motion from it), eigenvalues of the equations
// linearised on the constraint surface (or multipliers), and whether it is stable; over a param the
// critical values; "text" or "json".
ZW_API ZW_CHECKED char* zw_stability(zw_system* s, const zw_stability_options* o, const char* style,
                                     zw_notes* notes);

// ---- branches -----------------------------------------------------------------------------------

// Start from zw_continue_defaults() and change what you need.
typedef struct zw_continue_options
{
  const char* over; // the param, as "v=0..10"; or "energy=1..5", "period=5..7"
  // a second one, as "h=1..2", over which special points are followed as curves; null: none
  const char* second;
  const char* state; // near the first motion, as "x=1, x'=2"; null: the model's initial state
  double period;     // s, of a periodic motion from that state; 0: a steady motion near it
  int orbit;         // 1: a periodic motion from there, of whatever period
  int points;        // over the range, about; 0: 100
  double tolerance;  // how exact periodic motions are, relative; 0: 1e-12
  int all;           // 1: branches that leave it, too
  const char* plot;  // the diagram: .svg, .png, .pdf, .gp; null: none
  int cookie;        // set by zw_continue_defaults()
} zw_continue_options;

ZW_API zw_continue_options zw_continue_defaults(void);
// The branch of steady (or periodic) motions through the one near a state, followed over a param
// through its folds; eigenvalues (or multipliers) of all points, special points located; "text",
// "json" or "csv".
ZW_API ZW_CHECKED char* zw_continue(zw_system* s, const zw_continue_options* o, const char* style,
                                    zw_notes* notes);

// ---- linear models ------------------------------------------------------------------------------

// All positions in which a mechanism (zw_mechanism_read) can be assembled at the start of its run,
// where its drives, or initial equations that are no guesses, leave no freedom; "text" or "json".
ZW_API ZW_CHECKED char* zw_assemblies(zw_system* s, const char* style, zw_notes* notes);

// The forces along coordinates that make a motion. `motion` is a table, .csv with names in its
// first line: t, coordinates x, and x' and x'' where they are known (else they are taken from the
// rows). along: names with commas between; null: all coordinates of the motion. "csv" or "json".
ZW_API ZW_CHECKED char* zw_inverse(zw_system* s, const char* motion, const char* along,
                                   const char* style, zw_notes* notes);

// Start from zw_linearise_defaults() and change what you need.
typedef struct zw_linearise_options
{
  const char* state; // as "x=1, x'=2"; null: the model's initial state
  int where;         // 0: at that state; 1: the equilibrium near it; 2: the steady motion near it
  // names with commas between: params, or coordinates along which forces act; coordinates, their
  // rates, quasi-velocities, outputs of the model. Null: those that the model declares.
  const char *inputs, *outputs;
  int symbolic; // 1: in symbols, too, params being symbols
  int cookie;   // set by zw_linearise_defaults()
} zw_linearise_options;

ZW_API zw_linearise_options zw_linearise_defaults(void);
// z' = A z + B u, y = C z + D u for small changes about a state, on as many coordinates and
// velocities as are independent; "text", "json", "csv" or "latex".
ZW_API ZW_CHECKED char* zw_linearise(zw_system* s, const zw_linearise_options* o, const char* style,
                                     zw_notes* notes);
// the same into a file: .csv, .json, .tex, .txt or .h5 (matrices as datasets, names beside them)
ZW_API ZW_CHECKED bool zw_linearise_save(zw_system* s, const zw_linearise_options* o,
                                         const char* path, zw_notes* notes);

// ---- what a motion keeps ------------------------------------------------------------------------

// Start from zw_structure_defaults() and change what you need.
typedef struct zw_structure_options
{
  const char* at; // as "x=1, y=2": the point near which it is looked for; null: the initial state
  int cookie;     // set by zw_structure_defaults()
} zw_structure_options;

ZW_API zw_structure_options zw_structure_defaults(void);
// Symmetries, all integrals linear and quadratic in the velocities, an invariant measure; "text" or
// "json".
ZW_API ZW_CHECKED char* zw_structure(zw_system* s, const zw_structure_options* o, const char* style,
                                     zw_notes* notes);

// As zw_derive(), with the integrals that zw_structure() finds as formulas declared beside those of
// the model: runs watch how far they drift. Null with the reason where none are looked for.
ZW_API ZW_CHECKED zw_system* zw_derive_watching(zw_model* m, zw_notes* notes);

// ---- chaos --------------------------------------------------------------------------------------

// Start from zw_chaos_defaults() and change what you need.
typedef struct zw_chaos_options
{
  const char* state;   // as "x=1, x'=2"; null: the model's initial state
  double until;        // s; nan: until the largest exponent is known well, or many steps are made
  double tolerance;    // relative, of one step; 0: 1e-9
  const char* section; // "x = 0": points where x rises through 0; "t = 1": at multiples of 1; null
  // 1: in place of all that, the stable and unstable manifolds, where they are curves, of the
  // steady motion near the state, or of the periodic one where the equations have a period
  int manifolds;
  double period;    // s, of that periodic motion; 0: the shortest of the equations
  const char* out;  // a file for the points of the section, or of the manifolds, .csv; null
  const char* plot; // a picture of them; null
  int cookie;       // set by zw_chaos_defaults()
} zw_chaos_options;

ZW_API zw_chaos_options zw_chaos_defaults(void);
// All Lyapunov exponents of the motion with their errors, the dimension of the attractor (Kaplan,
// Yorke), points on a section; or the manifolds of a saddle; "text" or "json".
ZW_API ZW_CHECKED char* zw_chaos(zw_system* s, const zw_chaos_options* o, const char* style,
                                 zw_notes* notes);

// ---- runs ---------------------------------------------------------------------------------------

typedef struct zw_progress
{
  double t, t_from, t_to; // s; t_to is infinite when the end is not known
  double step;            // s, the last one
  double residual;        // largest of any constraint so far
  long steps;
} zw_progress;

// Start from zw_run_defaults() and change what you need.
typedef struct zw_run_options
{
  double until;       // s; nan: the model's own end
  double tolerance;   // relative, of one step; 0: the model's own, else 1e-10; below 1e-15 the run
                      // has twice the digits of a double
  const char* method; // of zw_methods(); null: the model's own, else chosen
  double step;        // s; of the method moreau, whose steps are fixed; 0: chosen
  const char* contact_solver; // "own" (or null), or "siconos" for contacts with friction
  const char* contacts; // "events"; "auto": by time steps where these are slow or fail; null: where
                        // they fail, for several contacts with friction in space, if no tolerance
                        // is asked for
  const double* at;     // s; exact times of the rows, at_count of them
  int at_count;
  double every; // s between rows; 0: not used
  int points;   // evenly spaced rows; 0: 501
  bool curves;  // keep the finer points that zw_plot draws
  bool scene;   // keep what zw_view_write shows; rows, where nothing is said of them, as frames
  // Path of the table that zw_table_write will make of this run alone; null: none. While the run
  // takes long its rows and checkpoints go beside it, to FILE.part and FILE.journal, and with
  // `resume` it goes on from the last checkpoint of the same run, to the same bits.
  const char* keep;
  bool resume;
  bool (*progress)(void* context, const zw_progress* p); // false stops the run; may be null
  void* progress_context;
  int cookie;    // set by zw_run_defaults()
  bool estimate; // find out how many digits are good, by a second pass: see zw_track_digits
  // s that the run itself may take for a second pass to be worth it; 0: however long it takes
  double estimate_within;
  double digits; // asked for in place of a tolerance or step, so many are to be good; 0: none are
  // where Painleve's paradox is met: "impact", "slip" or "stop", as the statement `beyond paradox`;
  // null: as the model says
  const char* beyond;
} zw_run_options;

typedef struct zw_track zw_track;

ZW_API zw_run_options zw_run_defaults(void);
// Null when the input is wrong and nothing was computed; otherwise see zw_track_status.
ZW_API ZW_CHECKED zw_track* zw_run(zw_system* s, const zw_run_options* o, zw_notes* notes);
ZW_API void zw_track_free(zw_track* t);
// How the run ended. ZW_DOUBTFUL: it came to its end, or to a stop event, but zw_track_doubt()
// has a reason not to trust it; its rows are there all the same.
ZW_API zw_status zw_track_status(const zw_track* t);
ZW_API const char* zw_track_reason(const zw_track* t); // "" when done
// Why the numbers are not to be trusted, whatever the status is: the energy balance is off, or a
// constraint does not hold. "" where nothing speaks against them. Told as a warning, too.
ZW_API const char* zw_track_doubt(const zw_track* t);
ZW_API int zw_track_rows(const zw_track* t);
ZW_API int zw_track_columns(const zw_track* t);
ZW_API const char* zw_track_name(const zw_track* t, int column);
ZW_API int zw_track_column(const zw_track* t, const char* name); // -1 if there is none
ZW_API double zw_track_value(const zw_track* t, int row, int column);
// all of them, row by row, as long as the track is there; null where there are none
ZW_API const double* zw_track_values(const zw_track* t);
ZW_API const char* zw_track_unit(const zw_track* t, int column); // "" where it is not known
ZW_API int zw_track_events(const zw_track* t);
ZW_API const char* zw_track_event(const zw_track* t, int i, double* time);
// largest residual of any constraint at any of its levels, over the whole run
ZW_API double zw_track_residual(const zw_track* t);
// change of energy minus work of the forces, relative to the largest energy seen
ZW_API double zw_track_energy_balance(const zw_track* t);
// How many digits of the last row's coordinates and velocities are good: the least of them, each
// beside the size it has along the run. Estimated by a second, more exact pass, where the run was
// asked for that; nan with the reason, where one is wanted, if it is not known.
ZW_API double zw_track_digits(const zw_track* t, const char** why);
ZW_API ZW_CHECKED char* zw_track_summary(const zw_track* t);

// ---- proved ends --------------------------------------------------------------------------------

// The state at the end of a run of a smooth model, proved: computed anew in long arithmetic, every
// rounding and every rest of a series enclosed. Null with the reason noted: what switches is not
// taken, the proof did not succeed, or Arb was not there when zwang was built.
typedef struct zw_certificate zw_certificate;
// `digits` of the state are asked for (0: 18).
ZW_API ZW_CHECKED zw_certificate* zw_certify(const zw_track* t, int digits, zw_notes* notes);
// The same, asked now and then whether to go on; the residual is not known.
ZW_API ZW_CHECKED zw_certificate* zw_certify_watched(const zw_track* t, int digits,
                                                     bool (*progress)(void* context,
                                                                      const zw_progress* p),
                                                     void* context, zw_notes* notes);
ZW_API void zw_certificate_free(zw_certificate* c);
// coordinates, then velocities
ZW_API int zw_certificate_count(const zw_certificate* c);
ZW_API const char* zw_certificate_name(const zw_certificate* c, int i);
ZW_API const char* zw_certificate_value(const zw_certificate* c, int i); // decimals
// the true value is no further from these decimals than this
ZW_API double zw_certificate_error(const zw_certificate* c, int i);
// how far the end of the run is from the truth, at most
ZW_API double zw_certificate_off(const zw_certificate* c, int i);
// a bound of all constraints over the whole enclosure
ZW_API double zw_certificate_drift(const zw_certificate* c);
// all of it as lines of text
ZW_API ZW_CHECKED char* zw_certificate_text(const zw_certificate* c);

// ---- programs: compiled once, run many times ----------------------------------------------------

// What a system becomes once and for many runs. Const from then on: threads may share it, each with
// a state of its own, which is the memory of one run. After its first runs, in which machine code
// may still be made, a state takes no more memory, but for notes and with the methods of SUNDIALS.
typedef struct zw_program zw_program;
typedef struct zw_state zw_state;

// `inputs`: what is given with each run, names with commas between: params, or coordinates and
// velocities ("x", "x'") for their start; "*": all that can be given, but for what follows from
// other params; null: nothing. Of the options `keep`, `resume`, `estimate` and `digits` are for
// zw_run alone; `scene` wants `every`, `points` or `at`, too.
ZW_API ZW_CHECKED zw_program* zw_program_new(const zw_system* s, const char* inputs,
                                             const zw_run_options* o, zw_notes* notes);
ZW_API void zw_program_free(zw_program* p);
// Handles: the number of an input or of a column of the rows; -1 where there is none of that name.
ZW_API int zw_program_input(const zw_program* p, const char* name);
ZW_API int zw_program_column(const zw_program* p, const char* name);
// How many there are, and what they are called; null behind the last. The unit is "" where it is
// not known.
ZW_API int zw_program_inputs(const zw_program* p);
ZW_API const char* zw_program_input_name(const zw_program* p, int input);
ZW_API int zw_program_columns(const zw_program* p);
ZW_API const char* zw_program_column_name(const zw_program* p, int column);
ZW_API const char* zw_program_column_unit(const zw_program* p, int column);
// a state y has so many coordinates, then as many velocities
ZW_API int zw_program_coords(const zw_program* p);

ZW_API ZW_CHECKED zw_state* zw_state_new(zw_program* p, zw_notes* notes);
ZW_API void zw_state_free(zw_state* s);
// In the unit of the declaration, as with --set. A param counts from the next run or step on, a
// start from the next run or restart. ZW_OK or ZW_BAD_INPUT.
ZW_API zw_status zw_state_set(zw_state* s, int input, double value);
ZW_API double zw_state_get(const zw_state* s, int input);
// Back to the start with the inputs as they are; and with those of the model.
ZW_API void zw_state_restart(zw_state* s);
ZW_API void zw_state_reset(zw_state* s);

// A whole run, the same as zw_run makes; until nan: as the options of the program say. The first
// `room` of its rows go to `rows`, one behind the other, which may be null. ZW_BAD_INPUT: nothing
// was computed.
ZW_API ZW_CHECKED zw_status zw_state_run(zw_state* s, double until, double* rows, int room,
                                         zw_notes* notes);
// Rows of the last run; and all else of it, or of the steps made since: it stays the state's, and
// is another one with the next run or step. Null before the first.
ZW_API int zw_state_rows(const zw_state* s);
ZW_API const zw_track* zw_state_track(const zw_state* s);

// Go on by dt from where the last step ended, at first from the start, with the inputs as they are
// now; events, stages and contacts happen in between as in any run. ZW_STOPPED and ZW_UNFINISHED:
// it ends there, until the next restart.
ZW_API ZW_CHECKED zw_status zw_state_step(zw_state* s, double dt, zw_notes* notes);
// where it stands; nan before the first step
ZW_API double zw_state_time(const zw_state* s);
// the columns there
ZW_API zw_status zw_state_row(zw_state* s, double* row, zw_notes* notes);
// All that the steps go on from, as *size bytes for zw_text_free: a state of the same program
// that loads them goes on to the same bits. Null where the run is over or just passing something.
ZW_API ZW_CHECKED char* zw_state_save(zw_state* s, size_t* size, zw_notes* notes);
ZW_API ZW_CHECKED zw_status zw_state_load(zw_state* s, const char* bytes, size_t size,
                                          zw_notes* notes);

// The equations as functions of a state y: `count` of them side by side, number i of state k at
// y[i * count + k]. y' = (velocities, accelerations); what does not hold at a state on the
// constraints is not mended. ZW_UNFINISHED: some have none, their rates are not numbers. Eight and
// more go through the lanes of the processor where nothing switches; the last digit may differ from
// that of one state alone.
ZW_API ZW_CHECKED zw_status zw_state_rates(zw_state* s, int count, double t, const double* y,
                                           double* rates, zw_notes* notes);
// of one state: dy'/dy by rows; M by rows and F of M a = F + A^T Lambda; Lambda of each constraint
ZW_API ZW_CHECKED zw_status zw_state_jacobian(zw_state* s, double t, const double* y, double* J,
                                              zw_notes* notes);
ZW_API ZW_CHECKED zw_status zw_state_mass(zw_state* s, double t, const double* y, double* M,
                                          zw_notes* notes);
ZW_API ZW_CHECKED zw_status zw_state_forces(zw_state* s, double t, const double* y, double* F,
                                            zw_notes* notes);
ZW_API ZW_CHECKED zw_status zw_state_reactions(zw_state* s, double t, const double* y,
                                               double* reactions, zw_notes* notes);

// ---- many runs ----------------------------------------------------------------------------------

typedef struct zw_sweep_progress
{
  long long first, done, total; // runs: where this sweep began, how far it is, all of them
  long long failed;             // rows of runs that failed, of those written by this sweep
  long long doubtful;           // rows of runs that are not to be trusted, in the whole table
  double seconds;               // since it began
  int rank;                     // of this process under mpirun; 0: the one that writes
} zw_sweep_progress;

// Start from zw_sweep_defaults() and change what you need.
typedef struct zw_sweep_options
{
  // What differs, over_count of them: "NAME=V1,V2,..." a list, "NAME=FROM..TO:N" a grid (with
  // ":log" even in the logarithm), "NAME=FROM..TO" to be sampled. NAME is a param, or a coordinate
  // or velocity ("x", "x'") for its start. Numbers are in the unit of the declaration.
  const char* const* over;
  int over_count;
  long long random, sobol; // samples of the ranges to be sampled, one of both
  unsigned long long seed; // of random samples
  // What is kept of each run: "x, max(x), min(x'), time(hit), time(hit,2), count(hit)"; null: every
  // column of the table at the end of the run
  const char* results;
  const char* const* basin; // "NAME: x=1, y=0": a column says which of them the end is nearest to
  int basin_count;
  double until, tolerance, step, every; // as of zw_run_options
  const char* method;
  int points;
  const char* out;    // .csv, .h5, .npy; null or "-": CSV on the standard output
  const char* plot;   // curves over one axis, colours over two: .svg, .png, .pdf, .gp; null: none
  bool resume;        // go on where a sweep into this file was broken off
  int threads;        // 0: as many as there are cores
  const char* device; // "cpu" or "gpu"; null: cpu
  bool (*progress)(void* context, const zw_sweep_progress* p); // false stops; may be null
  void* progress_context;
  int cookie; // set by zw_sweep_defaults()
  // Rows of numbers in memory, beside the file where `out` names one: the first table_room runs,
  // each as zw_sweep_plan lists its columns; null: none. Not under mpirun.
  double* table;
  long long table_room;
  // Values as numbers in place of a text, null: none. Where over_values[i] is not null, over[i] is
  // a name alone, and these are its over_counts[i] values.
  const double* const* over_values;
  const long long* over_counts;
} zw_sweep_options;

ZW_API zw_sweep_options zw_sweep_defaults(void);
// What a sweep will be: how many runs, and the columns of their rows in memory, one in each line:
// what differs, the results, `basin` where there are any (number from 0 on, -1: none), `quality`
// (0; 1: not to be trusted; -1: the run failed, its results are no numbers).
ZW_API ZW_CHECKED char* zw_sweep_plan(zw_model* m, const zw_sweep_options* o, long long* runs,
                                      zw_notes* notes);
// Runs the model for every point, over threads and, under mpirun, over ranks. The numbers do not
// depend on how the runs were spread. A run that fails is a row with its reason; what a run alone
// would warn of is in the column `quality` of its row. ZW_DOUBTFUL where runs are not to be
// trusted: the table is complete. `report` may be null.
ZW_API ZW_CHECKED zw_status zw_sweep(zw_model* m, const zw_sweep_options* o,
                                     zw_sweep_progress* report, zw_notes* notes);

// ---- files --------------------------------------------------------------------------------------

// One run, or several of one model that differ in the param `varied`.
typedef struct zw_runs
{
  const zw_track* const* track;
  int count;
  const char* varied;  // null for one run
  const double* value; // of that param in each run
  // Columns of the tables: names with commas between, `*` for any letters; time is first unless it
  // is named. Null: all.
  const char* columns;
  bool units; // heads of CSV with the units: "x [m]"
} zw_runs;

// Are such columns there? Ask before a long run. ZW_OK or ZW_BAD_INPUT.
ZW_API zw_status zw_columns_check(const zw_system* s, const char* columns, zw_notes* notes);
// Could a table or plot be written there? Ask before a long run. ZW_OK or ZW_BAD_INPUT.
ZW_API zw_status zw_table_check(const char* path, zw_notes* notes);
ZW_API zw_status zw_plot_check(const char* path, zw_notes* notes);
// .csv, .json, .h5, or "-" for CSV on the standard output. The file appears whole or not at all.
ZW_API zw_status zw_table_write(const zw_runs* r, const char* path, zw_notes* notes);
// what a file .json would hold
ZW_API ZW_CHECKED char* zw_table_json(const zw_runs* r, zw_notes* notes);
// the table for people, nine digits of each number
ZW_API ZW_CHECKED char* zw_table_text(const zw_runs* r, zw_notes* notes);
// .svg, .png, .pdf, or .gp for a gnuplot script with its data.
ZW_API zw_status zw_plot_write(const zw_runs* r, const char* path, zw_notes* notes);

// ---- the moving picture -------------------------------------------------------------------------

// Start from zw_view_defaults() and change what you need.
typedef struct zw_view_options
{
  const char* form; // of the equations shown first; null: the first that suits the model
  bool live;        // with zwang itself as WebAssembly, so that numbers can be changed in the page
  int cookie;       // set by zw_view_defaults()
} zw_view_options;

ZW_API zw_view_options zw_view_defaults(void);
ZW_API zw_status zw_view_check(const char* path, zw_notes* notes);
// Is the viewer for live pages there, which is built apart? ZW_OK, or ZW_BAD_INPUT with the way
// out.
ZW_API zw_status zw_live_check(zw_notes* notes);
// One HTML file that opens without network or server: the system as it moves, plots, equations, the
// model's text. The runs must have been made with the option `scene`.
ZW_API zw_status zw_view_write(const zw_runs* r, const zw_view_options* o, const char* path,
                               zw_notes* notes);
// What such a page would hold, as JSON; `motion_only`: without equations, texts and surface, which
// take longer than a short run does.
ZW_API ZW_CHECKED char* zw_view_json(const zw_runs* r, const zw_view_options* o, bool motion_only,
                                     zw_notes* notes);

// Start from zw_film_defaults() and change what you need.
typedef struct zw_film_options
{
  int width, height; // 960 by 540
  double fps;        // pictures a second: 30
  double frame;      // s; time of a single picture; nan: a third of the run
  // asked now and then where it is set; false ends it, with nothing left behind
  bool (*go_on)(void* context);
  void* context;
  int cookie; // set by zw_film_defaults()
} zw_film_options;

ZW_API zw_film_options zw_film_defaults(void);
ZW_API zw_status zw_film_check(const char* path, zw_notes* notes);
// A film of the scene of such a page: .mp4 or .gif, or .png for a single picture. Chromium draws
// and ffmpeg joins; both are looked for when it is asked for. A .svg is a drawing in lines, which
// needs neither.
ZW_API zw_status zw_film_write(const char* page, const zw_film_options* o, const char* path,
                               zw_notes* notes);

// ---- lists --------------------------------------------------------------------------------------

// Integration methods: name, and one line on each. Null behind the last.
ZW_API const char* zw_method_name(int i);
ZW_API const char* zw_method_summary(int i);
// Models that come with zwang: name, title and text. Null behind the last.
ZW_API const char* zw_example_name(int i);
ZW_API const char* zw_example_title(int i);
ZW_API const char* zw_example_text(const char* name);
// Parts that models take in by `use std "NAME"`: all of them with their params as "text" or "json",
// or the text of one file; null with an error noted where there is none of that name.
ZW_API ZW_CHECKED char* zw_parts(const char* name, const char* style, zw_notes* notes);

#ifdef __cplusplus
}
#endif
