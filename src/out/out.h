// out: tracks and equations -> CSV, JSON, HDF5, plots, text, LaTeX, C.
// Takes finished data; gives bytes in a text or a file.
// Does not integrate and derives nothing.
#pragma once

#include "base/base.h"
#include "expr/expr.h"
#include "geom/geom.h"
#include "mech/mech.h"
#include "model/model.h"
#include "sim/sim.h"

// One or several runs of one model that belong together: several when a param was varied.
typedef struct out_runs
{
  int count;
  const sim_track* const* track;
  const char* varied;      // name of the param that differs, or null
  const double* value;     // its value in each run
  const base_notes* notes; // warnings for the JSON; may be null
} out_runs;

// All writers below: text form appended to `out`.
void out_csv(const out_runs* r, base_text* out);
void out_json(const out_runs* r, base_text* out);
// A short summary for people: what ran, how far, residuals, energy, counts, events, warnings
void out_summary(const sim_track* t, base_text* out);

// Write to a file by its ending: .csv .json .h5; "-" is CSV on stdout. The file appears whole or
// not at all (written beside, then renamed). Returns 0; on failure an error is noted and 1 (the
// name is wrong: unknown ending) or 2 (it could not be written) is returned.
int out_table_check(const char* path, base_notes* notes); // before the run: ending, folder, rights
int out_table_write(const out_runs* r, const char* path, base_notes* notes);

// Plots through gnuplot by the ending: .svg .png .pdf, or .gp (script and data kept for the user).
int out_plot_check(const char* path, base_notes* notes);
int out_plot_write(const out_runs* r, const char* path, base_notes* notes);

// Equations of a form: text, LaTeX (a document that compiles), C, JSON.
typedef enum out_style { OUT_TEXT, OUT_LATEX, OUT_C, OUT_JSON } out_style;
int out_style_find(const char* name); // -1 if there is none
void out_equations(const mech_system* s, const mech_equations* e, out_style style, base_text* out);
// the table of forms: which suit the model, and why the others do not
void out_forms(const mech_system* s, bool json, base_text* out);

// what `eval` says; explain adds the split W^K, W_L and the residuals
void out_point(const mech_system* s, const sim_point* p, bool json, bool explain, base_text* out);
// what `check` says
void out_check(const mech_system* s, const sim_point* p, const geom_report* g, bool json,
               base_text* out);
// what `verify` says
void out_verdict(const mech_system* s, const sim_verdict* v, bool json, base_text* out);

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
  const geom_reach* reach; // at the points of the run, or at the point alone; null: not known
  const double* time;      // of those points; null: one point
} out_geometry;
void out_geometry_write(const mech_system* s, const out_geometry* g, out_style style,
                        base_text* out);
// the surface with the path of the representing point; as out_plot_write
int out_geometry_plot(const out_geometry* g, const char* path, base_notes* notes);

// what `stability` says
typedef struct out_stability
{
  const sim_stability* at; // with the params as they are
  const char* over;        // name of the param that was varied; null: none
  const sim_scan* scan;    // then
} out_stability;
void out_stability_write(const out_stability* s, bool json, base_text* out);
// eigenvalues over the param that was varied; as out_plot_write
int out_stability_plot(const out_stability* s, const char* path, base_notes* notes);
