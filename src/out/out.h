// out: tracks and equations -> CSV, JSON, HDF5, plots, text, LaTeX, C.
// Takes finished data; gives bytes in a text or a file.
// Does not integrate and derives nothing.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "geom/geom.h"
#include "mech/mech.h"
#include "model/model.h"
#include "study/study.h"
#include "sweep/sweep.h"
#include "walk/walk.h"

// One or several runs of one model that belong together: several when a param was varied.
typedef struct out_runs
{
  int count;
  const walk_track* const* track;
  const char* varied;      // name of the param that differs, or null
  const double* value;     // its value in each run
  const base_notes* notes; // warnings for the JSON; may be null
  const char* columns;     // those of the tables, as --columns has them; null: all
  bool units;              // in the heads of CSV
} out_runs;

// From now on the JSON library takes its memory as calls do that can be given up, unless the
// program has told it where to take it.
void out_json_guard(void);

// All writers below: text form appended to `out`.
void out_csv(const out_runs* r, base_text* out);
// a table for people: columns one below the other, digits as many as they read
void out_rows(const out_runs* r, base_text* out);
// are all of the columns there? Errors noted for those that are not
bool out_columns_check(const model* m, const char* columns, base_notes* notes);
void out_json_quote(const char* text, base_text* out); // a text as JSON has it, with quotes
void out_json(const out_runs* r, base_text* out);
// A short summary for people: what ran, how far, residuals, energy, counts, events, warnings
void out_summary(const walk_track* t, base_text* out);

// Write to a file by its ending: .csv .json .h5; "-" is CSV on stdout. The file appears whole or
// not at all (written beside, then renamed). Returns 0; on failure an error is noted and 1 (the
// name is wrong: unknown ending) or 2 (it could not be written) is returned.
int out_table_check(const char* path, base_notes* notes); // before the run: ending, folder, rights
int out_table_write(const out_runs* r, const char* path, base_notes* notes);

// A run kept as it goes, beside the table `path` that will be written (run_keep.h). May it be: is
// the path that of a file?
typedef struct out_run_keep out_run_keep;
bool out_run_keep_may(const char* path);
// print: of all that decides the numbers. resume: what is kept of the same run is taken up. Null
// with errors noted, *code as of out_table_write.
out_run_keep* out_run_keep_open(const char* path, uint64_t print, bool resume, const model* m,
                                int* code, base_notes* notes);
const walk_keeper* out_run_keep_keeper(const out_run_keep* k);
// where the run goes on; false: at its start
bool out_run_keep_onward(const out_run_keep* k, walk_onward* onward);
// written: the table was; over: nothing is left to go on with. Else what is kept stays. Null is
// fine; so are null notes.
void out_run_keep_close(out_run_keep* k, bool written, bool over, base_notes* notes);

// Plots through gnuplot by the ending: .svg .png .pdf, or .gp (script and data kept for the user).
int out_plot_check(const char* path, base_notes* notes);
int out_plot_write(const out_runs* r, const char* path, base_notes* notes);

// Equations of a form: text, LaTeX (a document that compiles), C, JSON.
typedef enum out_style { OUT_TEXT, OUT_LATEX, OUT_C, OUT_JSON } out_style;
int out_style_find(const char* name); // -1 if there is none
void out_equations(const mech_system* s, const mech_equations* e, out_style style, base_text* out);
// null, or why there is no C for the accelerations: they are not the solution of linear equations
const char* out_equations_c_unsuited(const mech_system* s);
// the table of forms: which suit the model, and why the others do not
void out_forms(const mech_system* s, bool json, base_text* out);

// what `eval` says; explain adds the split W^K, W_L and the residuals
void out_point(const mech_system* s, const study_point* p, bool json, bool explain, base_text* out);
// what `check` says
// growth vectors along a run (time: of its points), or at the initial state (time null)
typedef struct out_reach
{
  const geom_reach* reach;
  const double* time;
} out_reach;
// along: may be null
void out_check(const mech_system* s, const study_point* p, const geom_report* g,
               const out_reach* along, bool json, base_text* out);
// what `verify` says
void out_verdict(const mech_system* s, const study_verdict* v, bool json, base_text* out);

// what `geometry` says
typedef struct out_geometry
{
  const geom_space* space;
  const geom_place* at; // null where the metric has no numbers at the point
  bool asked;           // the point was given by the user; else it is the initial state
  const geom_verdict* flat;
  const geom_embedding* embedding; // null: not asked for
  const geom_motion* motion;       // in its coordinates; null: there is no run to compare with
  double difference;               // of both runs: largest of |q - q'|/(1 + |q|)
  const char* region;              // where the box of the embedding comes from
  const geom_report* report;
  const geom_reach* reach;       // at the points of the run, or at the point alone; null: not known
  const double* time;            // of those points; null: one point
  const geom_shape* shape;       // null: not asked for
  const geom_geodesic* geodesic; // null: not asked for
  double energy;                 // of the Jacobi metric; nan: the metric is that of T
  double apart; // the geodesic and the run of that energy: largest |q - q'|/(1 + |q|); nan: no run
  double until; // compared up to this time
} out_geometry;
void out_geometry_write(const mech_system* s, const out_geometry* g, out_style style,
                        base_text* out);
// the map of the embedding as .c or .json; as out_plot_check and out_plot_write
int out_map_check(const char* path, base_notes* notes);
int out_map_write(const out_geometry* g, const char* path, base_notes* notes);
// the surface with the path of the representing point; as out_plot_write
int out_geometry_plot(const out_geometry* g, const char* path, base_notes* notes);

// "text" or "json"; false where there is no such style (r null: that is all that is asked)
bool out_inverse_write(const study_inverse* r, const char* style, base_text* out); // csv, json
bool out_assemblies_write(const study_assemblies* r, const char* style, base_text* out);
// a linear model as "text", "json", "csv" or "latex"; false: there is no such style. Null: ask
// only.
// exponents as "text" or "json"; false: there is no such style. Null: ask
bool out_chaos_write(const study_chaos* r, const char* style, base_text* out);
// points of the section as CSV, and as a picture; 0, or nonzero with an error noted
int out_chaos_save(const study_chaos* r, const char* path, base_notes* notes);
int out_chaos_plot(const study_chaos* r, const char* path, base_notes* notes);
// the same of manifolds
bool out_manifolds_write(const study_manifolds* r, const char* style, base_text* out);
int out_manifolds_save(const study_manifolds* r, const char* path, base_notes* notes);
int out_manifolds_plot(const study_manifolds* r, const char* path, base_notes* notes);
bool out_structure_write(const geom_structure* r, const char* style, base_text* out);
bool out_linearised_write(const study_linearised* r, const char* style, base_text* out);
// into a file, .csv, .json, .tex, .txt or .h5; can it be?
bool out_linearised_check(const char* path, base_notes* notes);
bool out_linearised_save(const study_linearised* r, const char* path, base_notes* notes);

// what `stability` says
typedef struct out_stability
{
  const study_stability* at; // with the params as they are
  const char* over;          // name of the param that was varied; null: none
  study_scan* scan;          // then
  const char* second;        // a second one; null: none
  int rows;                  // values of it, each with a scan over the first (or null)
  double* row_at;
  study_scan** row;
} out_stability;
void out_stability_write(const out_stability* s, bool json, base_text* out);
// eigenvalues over the param that was varied; as out_plot_write
int out_stability_plot(const out_stability* s, const char* path, base_notes* notes);

// what `continue` finds
typedef struct out_branches
{
  const model* model;
  const char* name; // of the param
  double from, to;  // its range, in its unit
  double scale;     // of its unit
  const study_branches* branches;
  const char* other; // the second param, whose curves of special points are shown; null: none
  double other_from, other_to, other_scale;
} out_branches;
// text, json or csv; false where there is no such style. b null: nothing is written
bool out_branches_write(const out_branches* b, const char* style, base_text* out);
// the diagram; as out_plot_write
int out_branches_plot(const out_branches* b, const char* path, base_notes* notes);

// ---- sweeps -------------------------------------------------------------------------------------

// The table of a sweep: swept values, results, the basin where there are some, the quality of runs
// that something speaks against, the reason of runs that failed. Rows are written as they come; a
// journal beside the file says how far it is good, so that a sweep that was killed goes on from
// there. The file itself appears when it is complete.
typedef struct out_sweep_head
{
  const char* title;
  int axes, results, basins;
  const char *const *axis, *const *result, *const *basin; // their names
  int64_t runs;
  uint64_t print; // of all that decides the numbers: a journal of another sweep is refused
} out_sweep_head;

// CSV; records that become HDF5 in the end; rows of numbers as NumPy keeps them, each at a place
// that is known beforehand
typedef enum out_sweep_kind { OUT_SWEEP_CSV, OUT_SWEEP_HDF5, OUT_SWEEP_NPY } out_sweep_kind;
out_sweep_kind out_sweep_kind_of(const char* path);

typedef struct out_sweep out_sweep;
int out_sweep_check(const char* path, bool resume, base_notes* notes); // as out_table_check
// *done: runs that are in the file already. Null with errors noted, *code as of out_table_write.
out_sweep* out_sweep_open(const char* path, const out_sweep_head* head, bool resume, int64_t* done,
                          int* code, base_notes* notes);
// Rows as bytes of the file, and behind them what out_sweep_write need not count then; any thread.
void out_sweep_encode(const out_sweep_head* head, out_sweep_kind kind, const sweep_rows* rows,
                      base_text* out);
// rows in the table so far, those taken up among them
typedef struct out_sweep_counts
{
  int64_t failed, doubtful;
} out_sweep_counts;
out_sweep_counts out_sweep_look(const out_sweep* s);
bool out_sweep_write(out_sweep* s, const char* bytes, size_t n, int64_t done);
// Where each row has its place, threads may put theirs there themselves: does this table let them?
// A receipt then goes in place of the bytes, handed in in order of the runs.
bool out_sweep_has_places(const out_sweep* s);
void out_sweep_place(const out_sweep* s, const sweep_rows* rows, base_text* receipt);
bool out_sweep_settle(out_sweep* s, const char* receipt, size_t n, int64_t done);
// Complete: the file appears and the journal goes. Else both stay for the next time. 0, or 2 with
// an error noted.
int out_sweep_close(out_sweep* s, bool complete, base_notes* notes);
// Curves over one axis, a heat map over two; before the table is closed. As out_plot_write.
int out_sweep_plot_check(const sweep_plan* p, const char* table, const char* path,
                         base_notes* notes);
int out_sweep_plot(out_sweep* s, const sweep_plan* p, const char* path, base_notes* notes);

// ---- the moving picture -------------------------------------------------------------------------

// A page of its own: the scene, plots, equations, the model's text. Opens from a file, loads
// nothing.
typedef struct out_view
{
  const out_runs* runs;
  model_scene* const* scene; // of each run's model
  const mech_system* system; // of the first run
  int forms;
  mech_equations* const* form;
  const geom_embedding* embedding; // two coordinates in a plane or in space; or null
  int sources;                     // the model's text: the file itself, then those it uses
  const char *const *source_name, *const *source_text;
  const char* live; // the viewer of live pages; null: the one of the program
  int sets;         // params that were set, "NAME=VALUE", of which a live page starts
  const char* const* set;
} out_view;
// the expressions that a track must watch for it; in the arena, returns how many
int out_view_watch(const model* m, const model_scene* s, base_arena* arena, expr** watch);
int out_view_check(const char* path, base_notes* notes); // as out_plot_check: .html
int out_view_write(const out_view* v, const char* path, base_notes* notes);
// what the viewer reads of it, as JSON, or its runs alone
void out_view_json(const out_view* v, bool motion_only, base_text* out);

// A film of a page's scene through Chromium and ffmpeg, by the ending: .mp4, .gif, or .png for one
// picture. As out_plot_check and out_plot_write.
typedef struct out_film
{
  int width, height;
  double fps;                   // pictures a second
  double frame;                 // time of a single picture, s; nan: a third of the run
  bool (*go_on)(void* context); // asked now and then: false ends it; null: not asked
  void* context;
} out_film;
int out_film_check(const char* path, base_notes* notes);
// 0: done; 2: it could not be made; 3: broken off by go_on
int out_film_write(const char* page, const out_film* f, const char* path, base_notes* notes);
