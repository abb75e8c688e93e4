// api: the functions of zwang.h, each a few lines over the rooms.
// Takes what a user of the library gives; gives what the rooms give.
// Knows no mechanics of its own.
#pragma once

#include "base/base.h"
#include "code/code.h"
#include "cone/cone.h"
#include "expr/expr.h"
#include "geom/geom.h"
#include "lang/lang.h"
#include "mech/mech.h"
#include "model/model.h"
#include "num/num.h"
#include "out/out.h"
#include "study/study.h"
#include "walk/walk.h"
#include "zwang/zwang.h"

#include "api/call.h"
#include "api/object.h"

struct zw_notes
{
  api_object object;
  base_notes* notes;
};

// of notes, where a user read it
struct zw_model
{
  api_object object;
  model* model;
  // where it came from, to read it again: a file, or a text
  char *path, *text;
  size_t length;
  char** sets;
  int set_count;
  const base_notes* notes;   // it was read with
  int first_source, sources; // its texts among the sources of these notes
};

// of a model
struct zw_system
{
  api_object object;
  model* model;
  const zw_model* source;
  mech_system* system;
};

// of a system
struct zw_point
{
  api_object object;
  mech_system* system;
  study_point* point;
};

// of a system and of notes
struct zw_track
{
  api_object object;
  walk_track* track;
  zw_system* system;
  model_scene* scene; // null: the run was not asked for what a moving picture needs
  const base_notes* notes;
  out_run_keep* keep; // of a run that is kept as it goes, until its table is written; else null
  char* kept;         // path of that table
};

// by itself: a model of its own, read anew, in which what is given with each run is marked
struct zw_program
{
  api_object object;
  base_notes* notes;
  zw_model* model;
  zw_system* system;
  zw_run_options wish; // with texts and numbers of its own
  walk_options options;
  model_scene* scene; // null: its runs are not for a moving picture
  base_arena* arena;
  int inputs;
  const char** input;
  int* param;    // of each
  double* scale; // SI value of one
  double* usual; // values of all params as the model has them
  int columns;
  const char **column, **unit;
  uint64_t print; // tells programs apart
};

// of a program
struct zw_state
{
  api_object object;
  zw_program* program;
  base_stock* stock;
  double* number;             // of all params
  walk_state* live;           // goes step by step; null: at the start
  study_functions* functions; // the equations, once they were asked for
  bool changed;               // numbers are others than those of the functions
  int rows;                   // of the last run
  zw_track* track;            // that shows what was made last
  walk_track *ran, *none;     // of the last run, or null; one without anything in it
};

// What an object of its own holds, given back; the object itself stays.
void api_notes_clear(void* notes);
void api_model_clear(void* model);
void api_system_clear(void* system);
void api_point_clear(void* point);
void api_track_clear(void* track);
void api_certificate_clear(void* certificate);
void api_program_clear(void* program);
void api_state_clear(void* state);
void api_editor_clear(void* editor);

// Objects for use inside the library: api_object_drop() ends them.
zw_notes* api_notes_new(void);
zw_model* api_model_read(const char* path, const char* const* sets, int set_count,
                         base_notes* notes);
zw_model* api_model_read_text(const char* name, const char* text, size_t length,
                              const char* const* sets, int set_count, base_notes* notes);
// settle.c: where the model starts at rest or steadily; false with errors noted
bool api_settle(model* m, mech_system* s, base_notes* notes);
zw_system* api_system_of(zw_model* m, model* of, base_notes* notes); // of a model made from m's
zw_system* api_system_new(zw_model* m, base_notes* notes);

// run.c: what is asked for, as the walk reads it, and which options may be said; false with errors
// noted
bool api_run_read(const zw_run_options* o, walk_options* out, base_notes* notes);
extern const api_options api_run_options;
zw_status api_run_status(const walk_track* t);

// the form of that name; null with an error noted where there is none or it does not suit
const mech_form* api_form_find(const mech_system* s, const char* name, base_notes* notes);
// the constraints that do not depend on others along the motion, in the arena
mech_choice api_independent(zw_system* s, base_arena* arena);
// the viewer of live pages, to be freed; null with the way out noted where it was not built
char* api_live_page(size_t* length, base_notes* notes);

// the state given as text ("x=1, x'=2"), what it leaves out as a guess from the initial state; null
// text: the initial state. `origin` is what messages call the text. Null with errors noted.
study_point* api_state_solve(zw_system* s, const mech_form* form, const char* origin,
                             const char* state, base_notes* notes);

// the model of the same source with one more param set ("NAME=VALUE"); null with errors noted
zw_model* api_model_again(const zw_model* m, const char* set, base_notes* notes);

// The same model with these params kept as symbols that may change (names that are no params are
// passed over); null with errors noted.
zw_model* api_model_kept(const zw_model* m, const char* const* kept, int count, base_notes* notes);

// The model once more, the param of this name being given with each evaluation; null with errors
// noted.
zw_model* api_model_given(const zw_model* source, const char* name, base_notes* notes);
// "NAME=FROM..TO" up to `end`; false with an error noted
typedef struct api_range
{
  char name[128];
  double from, to;
} api_range;
bool api_range_name(const char* text, const char* end, api_range* r); // the name alone
// m: has a param of this name; null: that is not asked
bool api_range_read(const zw_model* m, const char* text, const char* end, api_range* r,
                    base_notes* notes);
// The state given as text with the model's initial equations beside it, which are guesses where
// they are `loose`, in a fresh block; how many, -1 with errors noted
int api_state_beside(zw_system* s, const char* state, bool loose, model_initial** all,
                     base_notes* notes);

// The box of a geom_embedding: from words "x=-1..1, y=0..2" (false with an error noted; coordinates
// not said keep theirs), around a point, or around a track's rows.
bool api_region_read(const geom_space* s, const char* words, double* low, double* high,
                     base_notes* notes);
// the model's own run with so many rows, at most so many steps; null where there is none
walk_track* api_own_run(zw_system* s, int rows, long most_steps);
// Growth vectors at points of a run, whose times go to `time`, or (t null) at the point alone; null
// where there are none.
enum { api_reach_points = 26 };
geom_reach* api_reach(zw_system* s, const geom_report* report, int symbols, const expr* symbol,
                      const double* value, const walk_track* t, double* time);
void api_region_around(const geom_place* at, const geom_space* s, double* low, double* high);
void api_region_of_track(const geom_space* s, const walk_track* t, double* low, double* high);

// The factor 2 (E - V) of the Jacobi metric of an energy, a number or "start": that of the state
// given by symbols and values, among which E then stands. False with the reason noted.
bool api_jacobi(zw_system* s, const char* energy, base_arena* arena, int* count, expr** symbol,
                double** value, expr* factor, double* E, base_notes* notes);
// the geodesic asked for, and how far it is from the run of its energy (null: there is none)
bool api_geodesic(zw_system* s, const zw_geometry_options* o, const geom_report* report,
                  const geom_space* space, const walk_track* run, out_geometry* g,
                  base_notes* notes);
// The geometry of a model, handed to `use` while it exists; false with errors noted, or where `use`
// says so.
typedef bool api_geometry_use(void* context, const out_geometry* g, base_notes* notes);
bool api_geometry(zw_system* s, const zw_geometry_options* o, api_geometry_use* use, void* context,
                  base_notes* notes);

// models that come with zwang, generated from models/
typedef struct api_example
{
  const char* name;
  const char* title;
  const char* text;
} api_example;
extern const api_example api_examples[];
