// Every function of the public interface with every kind of argument that is wrong, one at a time:
// null, freed, another object, no object at all, out of range, not a number. Each answers with
// nothing and, where it has notes, says why; none ends the program.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "bead.h"
#include "check.h"

// ---- values -------------------------------------------------------------------------------------

// Slots of a function, one letter each:
//   N notes  M model  S system  P point  T track  C certificate  O program  U state
//   x text  ? text that may be null
//   i index  n count of what stands before it  d digits  r runs  R G B W V F options
enum { most_slots = 6, most_bad = 32, kinds = 8 };

typedef struct bad_values
{
  int count;
  const void* at[most_bad];
} bad_values;

// objects that are alive and such that are not, by the letters of `kind_letter`
static const char kind_letter[] = "NMSPTCOU";
static void *good[kinds], *freed[kinds];
static const char word[] = "zzz";
static long nothing[32]; // no object of any kind

static const void* as_number(int i)
{
  return (const void*)(intptr_t)i;
}

static int number(const void* slot)
{
  return (int)(intptr_t)slot;
}

static void make_objects(void** out)
{
  bead b = bead_read(NULL);
  out[0] = b.notes;
  out[1] = b.model;
  out[2] = b.system;
  out[3] = zw_eval(b.system, NULL, NULL, b.notes);
  out[4] = bead_run(&b, 3);
  out[5] = zw_certify(out[4], 0, b.notes); // null where Arb is not there
  const zw_run_options o = zw_run_defaults();
  out[6] = zw_program_new(b.system, "g", &o, b.notes);
  out[7] = zw_state_new(out[6], b.notes);
}

static void free_objects(void* const* at)
{
  zw_state_free(at[7]);
  zw_program_free(at[6]);
  zw_certificate_free(at[5]);
  zw_track_free(at[4]);
  zw_point_free(at[3]);
  zw_system_free(at[2]);
  zw_model_free(at[1]);
  zw_notes_free(at[0]);
}

// ---- options ------------------------------------------------------------------------------------

static const char* const no_text[] = {NULL};
static const double no_number[] = {NAN}, endless[] = {INFINITY}, early[] = {-7};

#define BAD(TYPE, DEFAULTS, ...) \
  do {                           \
    static TYPE o_;              \
    o_ = DEFAULTS();             \
    TYPE* o = &o_;               \
    __VA_ARGS__;                 \
    list->at[list->count++] = o; \
  } while (0)
#define BAD_RUN(...)       BAD(zw_run_options, zw_run_defaults, __VA_ARGS__)
#define BAD_SWEEP(...)     BAD(zw_sweep_options, zw_sweep_defaults, __VA_ARGS__)
#define BAD_STABILITY(...) BAD(zw_stability_options, zw_stability_defaults, __VA_ARGS__)
#define BAD_FILM(...)      BAD(zw_film_options, zw_film_defaults, __VA_ARGS__)
#define BAD_GEOMETRY(...)  BAD(zw_geometry_options, zw_geometry_defaults, __VA_ARGS__)

static void bad_runs(bad_values* list)
{
  BAD_RUN(o->tolerance = -1);
  BAD_RUN(o->tolerance = NAN);
  BAD_RUN(o->tolerance = INFINITY);
  BAD_RUN(o->step = -1);
  BAD_RUN(o->step = NAN);
  BAD_RUN(o->step = 0.1); // of a method that chooses its steps
  BAD_RUN(o->every = -1);
  BAD_RUN(o->every = NAN);
  BAD_RUN(o->estimate_within = -1);
  BAD_RUN(o->estimate_within = NAN);
  BAD_RUN(o->every = 1e-300);
  BAD_RUN(o->points = -5);
  BAD_RUN(o->points = INT_MAX);
  BAD_RUN(o->until = -5);
  BAD_RUN(o->until = -INFINITY);
  BAD_RUN(o->method = word);
  BAD_RUN(o->method = "");
  BAD_RUN(o->contact_solver = word);
  BAD_RUN(o->beyond = word);
  BAD_RUN(o->at_count = -1);
  BAD_RUN(o->at_count = 1);
  BAD_RUN(o->at_count = 1; o->at = no_number);
  BAD_RUN(o->at_count = 1; o->at = endless);
  BAD_RUN(o->at_count = 1; o->at = early);
  BAD_RUN(o->at_count = INT_MAX; o->at = early);
}

static void bad_sweeps(bad_values* list)
{
  static const char* const over[] = {"m=1,2"};
  static const char* const over_what[] = {"m"};
  BAD_SWEEP(); // nothing is varied
  BAD_SWEEP(o->over = over; o->over_count = -1);
  BAD_SWEEP(o->over_count = 1);
  BAD_SWEEP(o->over = no_text; o->over_count = 1);
  BAD_SWEEP(o->over = over_what; o->over_count = 1);
#define BAD_VARIED(...) BAD_SWEEP(o->over = over; o->over_count = 1; __VA_ARGS__)
  BAD_VARIED(o->random = -1);
  BAD_VARIED(o->sobol = LLONG_MIN);
  BAD_VARIED(o->tolerance = NAN);
  BAD_VARIED(o->tolerance = -1);
  BAD_VARIED(o->step = -1);
  BAD_VARIED(o->every = NAN);
  BAD_VARIED(o->points = -5);
  BAD_VARIED(o->threads = -1);
  BAD_VARIED(o->threads = 100000);
  BAD_VARIED(o->method = word);
  BAD_VARIED(o->device = word);
  BAD_VARIED(o->results = word);
  BAD_VARIED(o->out = "no/such/folder/table.csv");
  BAD_VARIED(o->plot = word);
  BAD_VARIED(o->basin_count = -1);
  BAD_VARIED(o->basin_count = 1);
  BAD_VARIED(o->basin = no_text; o->basin_count = 1);
}

static void bad_stabilities(bad_values* list)
{
  BAD_STABILITY(o->period = -1);
  BAD_STABILITY(o->period = NAN);
  BAD_STABILITY(o->period = INFINITY);
  BAD_STABILITY(o->points = -5);
  BAD_STABILITY(o->points = 1);
  BAD_STABILITY(o->points = INT_MAX);
  BAD_STABILITY(o->state = word);
  BAD_STABILITY(o->over = word);
  BAD_STABILITY(o->plot = "plot.svg"); // of nothing
}

static void bad_films(bad_values* list)
{
  BAD_FILM(o->width = -5);
  BAD_FILM(o->width = 0);
  BAD_FILM(o->height = INT_MAX);
  BAD_FILM(o->fps = -1);
  BAD_FILM(o->fps = 0);
  BAD_FILM(o->fps = NAN);
}

static void bad_geometries(bad_values* list)
{
  BAD_GEOMETRY(o->at = word);
  BAD_GEOMETRY(o->region = word);
  BAD_GEOMETRY(o->plot = word);
  BAD_GEOMETRY(o->energy = word);
  BAD_GEOMETRY(o->map = word);
  BAD_GEOMETRY(o->geodesic = -1);
  BAD_GEOMETRY(o->geodesic = NAN);
}

static void bad_track_lists(bad_values* list)
{
  static const zw_track* tracks[4];
  const void* track[] = {NULL, freed[4], good[2], nothing};
  static zw_runs runs[8];
  int n = 0;
  for (; n < 4; n++) {
    tracks[n] = track[n];
    runs[n] = (zw_runs){.track = &tracks[n], .count = 1};
  }
  runs[n++] = (zw_runs){0};
  runs[n++] = (zw_runs){.count = 1};
  runs[n++] = (zw_runs){.track = (const zw_track* const*)&good[4], .count = -1};
  runs[n++] = (zw_runs){.track = (const zw_track* const*)&good[4], .count = 1, .varied = "m"};
  for (int i = 0; i < n; i++) list->at[list->count++] = &runs[i];
}

// ---- what is good and bad in a slot -------------------------------------------------------------

static const void* good_value(char slot)
{
  static zw_runs runs = {.count = 1};
  static zw_run_options run;
  static zw_geometry_options geometry;
  static zw_stability_options stability;
  static zw_sweep_options sweep;
  static zw_view_options view;
  static zw_film_options film;
  const char* kind = strchr(kind_letter, slot);
  if (kind) return good[kind - kind_letter];
  switch (slot) {
  case 'x':
    return "text";
  case 'r':
    runs.track = (const zw_track* const*)&good[4];
    return &runs;
  case 'R':
    run = zw_run_defaults();
    return &run;
  case 'G':
    geometry = zw_geometry_defaults();
    return &geometry;
  case 'B':
    stability = zw_stability_defaults();
    return &stability;
  case 'W':
    sweep = zw_sweep_defaults();
    return &sweep;
  case 'V':
    view = zw_view_defaults();
    return &view;
  case 'F':
    film = zw_film_defaults();
    return &film;
  default:
    return NULL; // zero, and no text
  }
}

static void bad_objects(bad_values* list, int kind)
{
  list->at[list->count++] = NULL;
  if (freed[kind]) list->at[list->count++] = freed[kind];
  list->at[list->count++] = nothing;
  list->at[list->count++] = (const char*)good[kind] + 1;
  for (int i = 0; i < kinds; i++)
    if (i != kind && good[i]) list->at[list->count++] = good[i];
}

static bad_values bad_in(char slot)
{
  bad_values out = {0};
  static const struct
  {
    char slot;
    void (*list)(bad_values* list);
  } options[] = {{'R', bad_runs}, {'W', bad_sweeps},     {'B', bad_stabilities}, {'F', bad_films},
                 {'V', NULL},     {'G', bad_geometries}, {'r', bad_track_lists}};
  const char* kind = strchr(kind_letter, slot);
  if (kind) bad_objects(&out, (int)(kind - kind_letter));
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    if (slot != options[i].slot) continue;
    out.at[out.count++] = NULL;
    out.at[out.count++] = nothing; // made by nobody
    if (options[i].list) options[i].list(&out);
  }
  if (slot == 'x') out.at[out.count++] = NULL;
  if (slot == 'x' || slot == '?') out.at[out.count++] = word;
  if (slot == 'i' || slot == 'n' || slot == 'd')
    for (int i = 0; i < 4; i++)
      out.at[out.count++] = as_number((int[]){-1, INT_MIN, 100000, INT_MAX}[i]);
  return out;
}

// ---- functions ----------------------------------------------------------------------------------

// name, slots, whether the answer was nothing
#define AT(I) number(a[I])
// room for whatever a state of the bead has
static double room[64];
static size_t size;
static long long planned;
#define FUNCTIONS(X)                                                                    \
  X(zw_notes_count, "N", zw_notes_count(a[0]) == 0)                                     \
  X(zw_notes_errors, "N", zw_notes_errors(a[0]) == 0)                                   \
  X(zw_notes_level, "Ni", zw_notes_level(a[0], AT(1)) == ZW_INFO)                       \
  X(zw_notes_text, "Ni", !zw_notes_text(a[0], AT(1)))                                   \
  X(zw_model_read, "x?nN", !zw_model_read(a[0], a[1], AT(2), a[3]))                     \
  X(zw_model_read_text, "xx?nN", !zw_model_read_text(a[0], a[1], 4, a[2], AT(3), a[4])) \
  X(zw_model_title, "M", !zw_model_title(a[0]))                                         \
  X(zw_model_coords, "M", !zw_model_coords(a[0]))                                       \
  X(zw_model_coord, "Mi", !zw_model_coord(a[0], AT(1)))                                 \
  X(zw_model_constraints, "M", !zw_model_constraints(a[0]))                             \
  X(zw_model_constraint, "Mi", !zw_model_constraint(a[0], AT(1)))                       \
  X(zw_model_params, "M", !zw_model_params(a[0]))                                       \
  X(zw_model_param_name, "Mi", !zw_model_param_name(a[0], AT(1)))                       \
  X(zw_model_param, "Mx", isnan(zw_model_param(a[0], a[1])))                            \
  X(zw_model_start, "MxN", zw_model_start(a[0], a[1], 1, a[2]) < 0)                     \
  X(zw_model_give, "MxN", !zw_model_give(a[0], a[1], a[2]))                             \
  X(zw_derive, "MN", !zw_derive(a[0], a[1]))                                            \
  X(zw_equations, "SxxN", !zw_equations(a[0], a[1], a[2], a[3]))                        \
  X(zw_functions, "SxxN", !zw_functions(a[0], a[1], a[2], a[3]))                        \
  X(zw_form_suits, "SxN", !zw_form_suits(a[0], a[1], a[2]))                             \
  X(zw_forms, "SxN", !zw_forms(a[0], a[1], a[2]))                                       \
  X(zw_check, "SxN", !zw_check(a[0], a[1], a[2]))                                       \
  X(zw_eval, "S??N", !zw_eval(a[0], a[1], a[2], a[3]))                                  \
  X(zw_point_release, "PxN", !zw_point_release(a[0], a[1], a[2]))                       \
  X(zw_point_value, "Px", isnan(zw_point_value(a[0], a[1])))                            \
  X(zw_point_text, "Px", !zw_point_text(a[0], a[1], false))                             \
  X(zw_verify, "SxN", !zw_verify(a[0], 1, a[1], &(bool){true}, a[2]))                   \
  X(zw_verify_nowhere, "i", !zw_verify(good[2], 1, "text", NULL, good[0]))              \
  X(zw_geometry, "SGxN", !zw_geometry(a[0], a[1], a[2], a[3]))                          \
  X(zw_stability, "SBxN", !zw_stability(a[0], a[1], a[2], a[3]))                        \
  X(zw_run, "SRN", !zw_run(a[0], a[1], a[2]))                                           \
  X(zw_track_status, "T", zw_track_status(a[0]) < 0)                                    \
  X(zw_track_reason, "T", !*zw_track_reason(a[0]))                                      \
  X(zw_track_doubt, "T", !*zw_track_doubt(a[0]))                                        \
  X(zw_track_rows, "T", !zw_track_rows(a[0]))                                           \
  X(zw_track_columns, "T", !zw_track_columns(a[0]))                                     \
  X(zw_track_name, "Ti", !zw_track_name(a[0], AT(1)))                                   \
  X(zw_track_column, "Tx", zw_track_column(a[0], a[1]) == -1)                           \
  X(zw_track_value_row, "Ti", isnan(zw_track_value(a[0], AT(1), 0)))                    \
  X(zw_track_value_column, "Ti", isnan(zw_track_value(a[0], 0, AT(1))))                 \
  X(zw_track_events, "T", !zw_track_events(a[0]))                                       \
  X(zw_track_event, "Ti", !zw_track_event(a[0], AT(1), NULL))                           \
  X(zw_track_residual, "T", isnan(zw_track_residual(a[0])))                             \
  X(zw_track_energy_balance, "T", isnan(zw_track_energy_balance(a[0])))                 \
  X(zw_track_digits, "T", isnan(zw_track_digits(a[0], NULL)))                           \
  X(zw_track_summary, "T", !zw_track_summary(a[0]))                                     \
  X(zw_certify, "TdN", !zw_certify(a[0], AT(1), a[2]))                                  \
  X(zw_certify_watched, "TdN", !zw_certify_watched(a[0], AT(1), NULL, NULL, a[2]))      \
  X(zw_certificate_count, "C", !zw_certificate_count(a[0]))                             \
  X(zw_certificate_name, "Ci", !zw_certificate_name(a[0], AT(1)))                       \
  X(zw_certificate_value, "Ci", !zw_certificate_value(a[0], AT(1)))                     \
  X(zw_certificate_error, "Ci", isnan(zw_certificate_error(a[0], AT(1))))               \
  X(zw_certificate_off, "Ci", isnan(zw_certificate_off(a[0], AT(1))))                   \
  X(zw_certificate_drift, "C", isnan(zw_certificate_drift(a[0])))                       \
  X(zw_certificate_text, "C", !zw_certificate_text(a[0]))                               \
  X(zw_program_new, "S?RN", !zw_program_new(a[0], a[1], a[2], a[3]))                    \
  X(zw_program_input, "Ox", zw_program_input(a[0], a[1]) == -1)                         \
  X(zw_program_column, "Ox", zw_program_column(a[0], a[1]) == -1)                       \
  X(zw_program_inputs, "O", !zw_program_inputs(a[0]))                                   \
  X(zw_program_input_name, "Oi", !zw_program_input_name(a[0], AT(1)))                   \
  X(zw_program_columns, "O", !zw_program_columns(a[0]))                                 \
  X(zw_program_column_name, "Oi", !zw_program_column_name(a[0], AT(1)))                 \
  X(zw_program_column_unit, "Oi", !zw_program_column_unit(a[0], AT(1)))                 \
  X(zw_program_coords, "O", !zw_program_coords(a[0]))                                   \
  X(zw_state_new, "ON", !zw_state_new(a[0], a[1]))                                      \
  X(zw_state_set, "Ui", zw_state_set(a[0], AT(1), 1) < 0)                               \
  X(zw_state_get, "Ui", isnan(zw_state_get(a[0], AT(1))))                               \
  X(zw_state_restart, "U", (zw_state_restart(a[0]), true))                              \
  X(zw_state_reset, "U", (zw_state_reset(a[0]), true))                                  \
  X(zw_state_run, "UN", zw_state_run(a[0], NAN, room, 1, a[1]) < 0)                     \
  X(zw_state_run_nowhere, "i", zw_state_run(good[7], NAN, NULL, 1, good[0]) < 0)        \
  X(zw_state_rows, "U", !zw_state_rows(a[0]))                                           \
  X(zw_state_track, "U", !zw_state_track(a[0]))                                         \
  X(zw_state_step, "UN", zw_state_step(a[0], 0.01, a[1]) < 0)                           \
  X(zw_state_step_back, "i", zw_state_step(good[7], -1, good[0]) < 0)                   \
  X(zw_state_step_never, "i", zw_state_step(good[7], NAN, good[0]) < 0)                 \
  X(zw_state_time, "U", isnan(zw_state_time(a[0])))                                     \
  X(zw_state_row, "UN", zw_state_row(a[0], room, a[1]) < 0)                             \
  X(zw_state_row_nowhere, "i", zw_state_row(good[7], NULL, good[0]) < 0)                \
  X(zw_state_save, "UN", !zw_state_save(a[0], &size, a[1]))                             \
  X(zw_state_load, "UxN", zw_state_load(a[0], a[1], 4, a[2]) < 0)                       \
  X(zw_state_rates, "UN", zw_state_rates(a[0], 1, 0, room, room, a[1]) < 0)             \
  X(zw_state_rates_of, "i",                                                             \
    zw_state_rates(good[7], AT(0) < 0 ? AT(0) : 0, 0, room, room, good[0]) < 0)         \
  X(zw_state_jacobian, "UN", zw_state_jacobian(a[0], 0, room, room, a[1]) < 0)          \
  X(zw_state_mass, "UN", zw_state_mass(a[0], 0, room, room, a[1]) < 0)                  \
  X(zw_state_forces, "UN", zw_state_forces(a[0], 0, room, room, a[1]) < 0)              \
  X(zw_state_reactions, "UN", zw_state_reactions(a[0], 0, room, room, a[1]) < 0)        \
  X(zw_track_values, "T", !zw_track_values(a[0]))                                       \
  X(zw_track_unit, "Ti", !zw_track_unit(a[0], AT(1)))                                   \
  X(zw_sweep_plan, "MN", !zw_sweep_plan(a[0], good_value('W'), &planned, a[1]))         \
  X(zw_sweep, "MWN", zw_sweep(a[0], a[1], NULL, a[2]) < 0)                              \
  X(zw_table_check, "xN", zw_table_check(a[0], a[1]) < 0)                               \
  X(zw_plot_check, "xN", zw_plot_check(a[0], a[1]) < 0)                                 \
  X(zw_table_write, "rxN", zw_table_write(a[0], a[1], a[2]) < 0)                        \
  X(zw_plot_write, "rxN", zw_plot_write(a[0], a[1], a[2]) < 0)                          \
  X(zw_view_check, "xN", zw_view_check(a[0], a[1]) < 0)                                 \
  X(zw_live_check, "N", zw_live_check(a[0]) < 0)                                        \
  X(zw_view_write, "rVxN", zw_view_write(a[0], a[1], a[2], a[3]) < 0)                   \
  X(zw_view_json, "rVN", !zw_view_json(a[0], a[1], true, a[2]))                         \
  X(zw_film_check, "xN", zw_film_check(a[0], a[1]) < 0)                                 \
  X(zw_film_write, "xFxN", zw_film_write(a[0], a[1], a[2], a[3]) < 0)                   \
  X(zw_method_name, "i", !zw_method_name(AT(0)))                                        \
  X(zw_method_summary, "i", !zw_method_summary(AT(0)))                                  \
  X(zw_example_name, "i", !zw_example_name(AT(0)))                                      \
  X(zw_example_title, "i", !zw_example_title(AT(0)))                                    \
  X(zw_example_text, "x", !zw_example_text(a[0]))                                       \
  X(zw_parts, "?xN", !zw_parts(a[0], a[1], a[2]))                                       \
  X(zw_notes_free, "N", (zw_notes_free(a[0]), true))                                    \
  X(zw_model_free, "M", (zw_model_free(a[0]), true))                                    \
  X(zw_system_free, "S", (zw_system_free(a[0]), true))                                  \
  X(zw_point_free, "P", (zw_point_free(a[0]), true))                                    \
  X(zw_track_free, "T", (zw_track_free(a[0]), true))                                    \
  X(zw_certificate_free, "C", (zw_certificate_free(a[0]), true))                        \
  X(zw_program_free, "O", (zw_program_free(a[0]), true))                                \
  X(zw_state_free, "U", (zw_state_free(a[0]), true))                                    \
  X(zw_text_free, "x", (zw_text_free(a[0]), true))

#define X(NAME, SLOTS, EMPTY)       \
  static bool call_##NAME(void** a) \
  {                                 \
    (void)a;                        \
    return EMPTY;                   \
  }
FUNCTIONS(X)
#undef X

typedef struct row
{
  const char *name, *slots;
  bool (*call)(void** a);
} row;
#define X(NAME, SLOTS, EMPTY) {#NAME, SLOTS, call_##NAME},
static const row table[] = {FUNCTIONS(X)};
#undef X

// ---- all of them --------------------------------------------------------------------------------

// one call with one bad argument
static void misuse(const row* r, int slot, const void* bad)
{
  const char* slots = r->slots;
  void* a[most_slots];
  for (int i = 0; slots[i]; i++) a[i] = (void*)good_value(slots[i]);
  a[slot] = (void*)bad;
  const bool notes = strchr(slots, 'N') && slots[slot] != 'N' && strlen(slots) > 1;
  const int before = zw_notes_errors(good[0]);
  if (!r->call(a))
    check_fail(__FILE__, __LINE__, "%s gives an answer for a bad argument %d (%p)", r->name,
               slot + 1, bad);
  if (notes && slots[slot] != 'i' && zw_notes_errors(good[0]) == before)
    check_fail(__FILE__, __LINE__, "%s says nothing of a bad argument %d (%p)", r->name, slot + 1,
               bad);
}

TEST(whatever_is_wrong_with_an_argument_is_answered)
{
  make_objects(freed);
  make_objects(good);
  free_objects(freed);
  int count = 0;
  for (const row* r = table; r < table + sizeof table / sizeof *table; r++)
    for (int slot = 0; r->slots[slot]; slot++) {
      const bad_values bad = bad_in(r->slots[slot]);
      for (int i = 0; i < bad.count; i++, count++) misuse(r, slot, bad.at[i]);
    }
  printf("# %d misuses\n", count);
  CHECK(count >= 300);
  // what was not freed is as it was
  CHECK(zw_track_rows(good[4]) > 0);
  CHECK_INT(zw_model_coords(good[1]), 2);
  free_objects(good);
}

TEST(what_was_made_of_a_freed_object_can_still_be_used)
{
  bead b = bead_read(NULL);
  zw_track* t = bead_run(&b, 3);
  zw_point* p = zw_eval(b.system, NULL, NULL, b.notes);
  bead_free(&b);
  CHECK(zw_track_rows(t) > 0);
  CHECK(zw_track_residual(t) < 1e-6);
  CHECK_NEAR(zw_point_value(p, "x"), 0.6, 1e-12);
  zw_notes* n = zw_notes_new();
  const zw_runs runs = {.track = (const zw_track* const*)&t, .count = 1};
  CHECK_INT(zw_table_write(&runs, bead_path("late.csv"), n), ZW_OK);
  zw_notes_free(n);
  zw_point_free(p);
  zw_track_free(t);
}

TEST(an_address_that_was_freed_does_not_become_another_object)
{
  bead b = bead_read(NULL);
  zw_track* first = bead_run(&b, 3);
  zw_track_free(first);
  zw_track* second = bead_run(&b, 5);
  const int rows = zw_track_rows(second);
  CHECK_INT(zw_track_rows(first), 0);
  CHECK(rows > 0);
  zw_track_free(first);
  CHECK_INT(zw_track_rows(second), rows);
  zw_track_free(second);
  bead_free(&b);
}
