// The options of all commands in one table: what they are called, what they take, what they mean.
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char* name, const char* value, double* out)
{
  char* end;
  errno = 0;
  *out = strtod(value, &end);
  if (end != value && !*end && isfinite(*out)) return true;
  cli_complain("--%s %s: expected a number", name, value);
  return false;
}

static bool positive(const char* name, const char* value, double* out)
{
  if (!number(name, value, out)) return false;
  if (*out > 0) return true;
  cli_complain("--%s %s: expected a number above zero", name, value);
  return false;
}

static bool take_set(cli_options* o, const char* name, const char* value)
{
  if (o->set_count == cli_most_sets) {
    cli_complain("--%s: at most %d of them", name, cli_most_sets);
    return false;
  }
  o->sets[o->set_count++] = value;
  return true;
}

// an input is set to what stands in a file
static bool take_input(cli_options* o, const char* name, const char* value)
{
  const char* equal = strchr(value, '=');
  if (!equal || equal == value || !equal[1]) {
    cli_complain("--%s: expected NAME=FILE.csv, not `%s`", name, value);
    return false;
  }
  const size_t before = (size_t)(equal - value) + 1, room = strlen(value) + 2;
  char* set = malloc(room);
  if (!set) return false;
  snprintf(set, room, "%.*s@%s", (int)before, value, equal + 1);
  if (!take_set(o, name, set)) {
    free(set);
    return false;
  }
  o->made[o->made_count++] = set;
  return true;
}

static bool take_until(cli_options* o, const char* name, const char* value)
{
  return number(name, value, &o->until);
}

static bool take_tol(cli_options* o, const char* name, const char* value)
{
  if (!positive(name, value, &o->tolerance)) return false;
  if (o->tolerance > 0.1)
    cli_complain("--%s %s: a tolerance above 0.1 says nothing about the motion", name, value);
  else if (o->tolerance < 1e-30)
    cli_complain("--%s %s: a tolerance below 1e-30 is beyond the digits of the numbers", name,
                 value);
  else
    return true;
  return false;
}

static bool take_exact(cli_options* o, const char* name, const char* value)
{
  if (!positive(name, value, &o->tolerance)) return false;
  if (o->tolerance >= 1e-14 && o->tolerance <= 1e-8) return true;
  cli_complain("--%s %s: expected 1e-14 to 1e-8; coarser motions are not told apart", name, value);
  return false;
}

#define TAKE_POSITIVE(FIELD)                                                    \
  static bool take_##FIELD(cli_options* o, const char* name, const char* value) \
  {                                                                             \
    return positive(name, value, &o->FIELD);                                    \
  }
TAKE_POSITIVE(step)
TAKE_POSITIVE(every)
TAKE_POSITIVE(period)
TAKE_POSITIVE(geodesic)
#undef TAKE_POSITIVE

static bool take_fps(cli_options* o, const char* name, const char* value)
{
  if (!positive(name, value, &o->fps)) return false;
  if (o->fps <= 120) return true;
  cli_complain("--%s %s: at most 120 pictures a second", name, value);
  return false;
}

static bool take_frame(cli_options* o, const char* name, const char* value)
{
  return number(name, value, &o->frame);
}

static bool take_size(cli_options* o, const char* name, const char* value)
{
  int end = 0;
  const int got = sscanf(value, "%4dx%4d%n", &o->width, &o->height, &end);
  // films have even sides
  if (got == 2 && !value[end] && o->width >= 64 && o->height >= 64 && o->width <= 4096 &&
      o->height <= 4096 && o->width % 2 == 0 && o->height % 2 == 0)
    return true;
  cli_complain("--%s %s: expected WIDTHxHEIGHT in even numbers from 64 to 4096, as in 960x540",
               name, value);
  return false;
}

static bool take_points(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!number(name, value, &x)) return false;
  if (x >= 2 && x <= 1e7 && x == floor(x)) {
    o->points = (int)x;
    return true;
  }
  cli_complain("--%s %s: expected a whole number from 2 to 10000000", name, value);
  return false;
}

static bool take_states(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!number(name, value, &x)) return false;
  if (x >= 1 && x <= 1e5 && x == floor(x)) {
    o->states = (int)x;
    return true;
  }
  cli_complain("--%s %s: expected a whole number from 1 to 100000", name, value);
  return false;
}

static bool take_at(cli_options* o, const char* name, const char* value)
{
  int room = 1;
  for (const char* c = value; *c; c++) room += *c == ',';
  free(o->at);
  o->at = calloc((size_t)room, sizeof *o->at);
  o->at_count = 0;
  if (!o->at) return false;
  const char* from = value;
  for (;;) {
    char* end;
    const double t = strtod(from, &end);
    if (end == from || !isfinite(t) || (*end && *end != ',')) {
      cli_complain("--%s %s: expected times separated by commas, as in 1,2.5,10", name, value);
      return false;
    }
    o->at[o->at_count++] = t;
    if (!*end) return true;
    from = end + 1;
  }
}

#define TAKE_TEXT(FIELD)                                                        \
  static bool take_##FIELD(cli_options* o, const char* name, const char* value) \
  {                                                                             \
    if (!*value) cli_complain("--%s: expected a value", name);                  \
    o->FIELD = *value ? value : NULL;                                           \
    return o->FIELD != NULL;                                                    \
  }
TAKE_TEXT(method)
TAKE_TEXT(contact_solver)
TAKE_TEXT(contacts)
TAKE_TEXT(beyond)
TAKE_TEXT(out)
TAKE_TEXT(plot)
TAKE_TEXT(form)
TAKE_TEXT(as)
TAKE_TEXT(show)
TAKE_TEXT(state)
TAKE_TEXT(released)
TAKE_TEXT(format)
TAKE_TEXT(columns)
TAKE_TEXT(compare)
TAKE_TEXT(place)
TAKE_TEXT(section)
TAKE_TEXT(inputs)
TAKE_TEXT(outputs)
TAKE_TEXT(motion)
TAKE_TEXT(along)
TAKE_TEXT(region)
TAKE_TEXT(map)
TAKE_TEXT(energy)
TAKE_TEXT(over)
TAKE_TEXT(second)
TAKE_TEXT(film)
TAKE_TEXT(results)
TAKE_TEXT(device)

static bool add_text(const char* name, const char* value, const char** list, int* count)
{
  if (*count == cli_most_overs) {
    cli_complain("--%s: at most %d of them", name, cli_most_overs);
    return false;
  }
  list[(*count)++] = value;
  return true;
}

static bool take_axis(cli_options* o, const char* name, const char* value)
{
  return add_text(name, value, o->overs, &o->over_count);
}

static bool take_drive(cli_options* o, const char* name, const char* value)
{
  return add_text(name, value, o->drives, &o->drive_count);
}

static bool take_basin(cli_options* o, const char* name, const char* value)
{
  return add_text(name, value, o->basins, &o->basin_count);
}

static bool whole(const char* name, const char* value, double least, double most, double* x)
{
  if (!number(name, value, x)) return false;
  if (*x >= least && *x <= most && *x == floor(*x)) return true;
  cli_complain("--%s %s: expected a whole number from %.0f to %.0f", name, value, least, most);
  return false;
}

static bool take_digits(cli_options* o, const char* name, const char* value)
{
  return whole(name, value, 1, 28, &o->digits);
}

static bool take_sobol(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 1, 1e15, &x)) return false;
  o->sobol = (long long)x;
  return true;
}

static bool take_random(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 1, 1e15, &x)) return false;
  o->random = (long long)x;
  return true;
}

static bool take_seed(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 0, 9007199254740992.0, &x)) return false;
  o->seed = (unsigned long long)x;
  return true;
}

static bool take_threads(cli_options* o, const char* name, const char* value)
{
  double x;
  if (!whole(name, value, 1, 1024, &x)) return false;
  o->threads = (int)x;
  return true;
}

// the page goes where the table of other commands goes
static bool take_page(cli_options* o, const char* name, const char* value)
{
  return take_out(o, name, value);
}

#define TAKE_SWITCH(FIELD)                                                      \
  static bool take_##FIELD(cli_options* o, const char* name, const char* value) \
  {                                                                             \
    (void)name;                                                                 \
    (void)value;                                                                \
    return o->FIELD = true;                                                     \
  }
TAKE_SWITCH(live)
TAKE_SWITCH(resume)
TAKE_SWITCH(explain)
TAKE_SWITCH(certify)
TAKE_SWITCH(conserved)
TAKE_SWITCH(estimate)
TAKE_SWITCH(all)
TAKE_SWITCH(orbit)
TAKE_SWITCH(rest)
TAKE_SWITCH(steady)
TAKE_SWITCH(symbolic)
TAKE_SWITCH(embed)
TAKE_SWITCH(curvature)
TAKE_SWITCH(quiet)
TAKE_SWITCH(open)
TAKE_SWITCH(watch)
TAKE_SWITCH(help)
TAKE_SWITCH(version)
TAKE_SWITCH(write)
TAKE_SWITCH(check)
TAKE_SWITCH(units)
TAKE_SWITCH(manifolds)

const cli_option cli_option_list[] = {
    {"set", "NAME=VALUE", "override a param; may be repeated", take_set, NULL, true},
    {"drive", "NAME=FROM..TO",
     "move this coordinate uniformly, or by NAME=EXPRESSION in t; may be repeated", take_drive,
     NULL, true},
    {"input", "NAME=FILE.csv", "an input as a function of time: first column t, second its value",
     take_input, NULL, true},
    {"until", "T", "end of the run in seconds", take_until, NULL, false},
    {"tol", "R", "relative tolerance of a step (default 1e-10)", take_tol, NULL, false},
    {"tol", "R", "relative accuracy of periodic motions (default 1e-12)", take_exact, "exact",
     false},
    {"tol", "R", "relative tolerance of a step (default 1e-9)", take_tol, "chaos-tol", false},
    {"digits", "N", "number of good digits wanted at the end, instead of --tol", take_digits, NULL,
     false},
    {"method", "M", "integration method; `list` shows them", take_method, NULL, false},
    {"step", "H", "fixed step of the method moreau in seconds", take_step, NULL, false},
    {"contact-solver", "NAME", "solver for contacts with friction: `own` (default) or `siconos`",
     take_contact_solver, NULL, false},
    {"contacts", "NAME", "`events`, or `auto`: time-stepping if events are slow or fail",
     take_contacts, NULL, false},
    {"beyond", "WHAT", "what to do at Painleve's paradox: `impact`, `slip` or `stop`", take_beyond,
     NULL, false},
    {"at", "T1,T2,...", "rows at exactly these times", take_at, NULL, false},
    {"at", "\"x=1, y=2\"", "the point; other values are those at the start", take_place, "place",
     false},
    {"region", "\"x=-1..1\"", "region of the embedding (default: where the run goes)", take_region,
     NULL, false},
    {"embed", NULL, "search longer for the map: higher degrees, fewer dimensions", take_embed, NULL,
     false},
    {"map", "FILE", "the map of the embedding: .c a function, .json", take_map, NULL, false},
    {"curvature", NULL, "metric and curvature alone: no embedding", take_curvature, NULL, false},
    {"energy", "E", "the Jacobi metric of this energy; `start`: of the state at the start",
     take_energy, NULL, false},
    {"geodesic", "LENGTH", "the geodesic along the velocity at the point; its conjugate points",
     take_geodesic, NULL, false},
    {"rest", NULL, "about the equilibrium near the state", take_rest, NULL, false},
    {"steady", NULL, "about the steady motion near the state", take_steady, NULL, false},
    {"symbolic", NULL, "also as formulas in the params", take_symbolic, NULL, false},
    {"inputs", "u,...", "params, or coordinates along which forces act", take_inputs, NULL, false},
    {"outputs", "y,...", "coordinates, their rates, outputs of the model", take_outputs, NULL,
     false},
    {"all", NULL, "all positions in which it can be assembled at the start", take_all, "assemblies",
     false},
    {"motion", "FILE.csv", "the motion: t, coordinates x, and x' and x'' if known", take_motion,
     NULL, false},
    {"along", "x,...", "coordinates along which the forces act (default: those of the motion)",
     take_along, NULL, false},
    {"period", "T", "the periodic motion of (about) this period, in seconds", take_period, NULL,
     false},
    {"orbit", NULL, "the periodic motion near the initial state, of any period", take_orbit, NULL,
     false},
    {"all", NULL, "also further steady motions, or branches that leave the first", take_all, NULL,
     false},
    {"over", "NAME=FROM..TO", "the param to vary (two: a chart); critical values are located",
     take_over, NULL, false},
    {"and", "NAME=FROM..TO", "a second param: curves of special points in both", take_second, NULL,
     false},
    {"over", "NAME=...",
     "what to vary: V1,V2,... or FROM..TO:N or FROM..TO (sampled); may be repeated", take_axis,
     "axis", true},
    {"sobol", "N", "N evenly distributed samples of the ranges (Sobol's sequence)", take_sobol,
     NULL, false},
    {"random", "N", "N random samples of the ranges", take_random, NULL, false},
    {"seed", "S", "seed of the random samples (default 0)", take_seed, NULL, false},
    {"results", "LIST", "what to keep: x, final(x), min(x), max(x), time(EVENT), count(EVENT)",
     take_results, NULL, false},
    {"basin", "\"NAME: x=1\"", "label runs by the nearest of these end points; may be repeated",
     take_basin, NULL, true},
    {"resume", NULL, "continue an interrupted run or sweep, to the same bits", take_resume, NULL,
     false},
    {"threads", "N", "threads of this process (default: all cores)", take_threads, NULL, false},
    {"device", "D", "where the runs are made: cpu (default) or gpu", take_device, NULL, false},
    {"every", "DT", "a row every DT seconds", take_every, NULL, false},
    {"points", "N", "N evenly spaced rows (default 501)", take_points, NULL, false},
    {"points", "N", "number of values of the param (default 41)", take_points, "values", false},
    {"points", "N", "approximate number of points on a straight branch (default 100)", take_points,
     "branch-points", false},
    {"points", "N", "N evenly spaced frames (default 60 per second, from 600 to 12000)",
     take_points, "frames", false},
    {"out", "FILE", "the table: .csv, .json, .h5, or - for CSV on stdout", take_out, NULL, false},
    {"out", "FILE", "the table: .csv, .h5 or .npy (default: CSV on stdout)", take_out, "rows",
     false},
    {"out", "FILE", "the table: .csv, .json, .h5 (default: on stdout)", take_out, "told", false},
    {"out", "FILE", "the page, .html (default: the model's name with this extension)", take_page,
     "page", false},
    {"out", "FILE", "points of the section, .csv", take_out, "points-out", false},
    {"out", "FILE", "the matrices: .csv, .json, .tex, .txt or .h5 (default: on stdout)", take_out,
     "matrices-out", false},
    {"columns", "x,y',...",
     "columns of the table, `*` for any letters; printed if there is no --out", take_columns, NULL,
     false},
    {"units", NULL, "write units into the heads of the CSV: x [m]", take_units, NULL, false},
    {"section", "\"x = 0\"", "points where x rises through 0, or t = T", take_section, NULL, false},
    {"manifolds", NULL, "stable and unstable manifolds of the saddle near the state instead",
     take_manifolds, NULL, false},
    {"live", NULL, "put zwang into the page: params can be changed there", take_live, NULL, false},
    {"film", "FILE", "a film, .mp4 or .gif; .png or .svg for one picture", take_film, NULL, false},
    {"open", NULL, "show the page in the browser", take_open, NULL, false},
    {"watch", NULL, "rewrite the page whenever the model is saved, until Ctrl-C", take_watch, NULL,
     false},
    {"fps", "N", "pictures per second of the film (default 30)", take_fps, NULL, false},
    {"size", "WxH", "size of the pictures (default 960x540)", take_size, NULL, false},
    {"frame", "T", "time of a single picture in seconds", take_frame, NULL, false},
    {"plot", "FILE", "the picture: .svg, .png, .pdf, or .gp for a gnuplot script", take_plot, NULL,
     false},
    {"compare", "NAME=V1,V2,...", "one run for each value of a param, in one table and picture",
     take_compare, NULL, false},
    {"estimate", NULL, "say how many digits are good even if that takes long", take_estimate, NULL,
     false},
    {"certify", NULL, "prove the state at the end, in long arithmetic", take_certify, NULL, false},
    {"conserved", NULL, "watch the integrals that `zwang structure` finds", take_conserved, NULL,
     false},
    {"form", "FORM", "form of the equations; `list` shows which suit the model", take_form, NULL,
     false},
    {"show", "LIST", "only these functions: any of T, V, T', T'', S, R, g, gamma", take_show, NULL,
     false},
    {"as", "STYLE", "text, latex, c or json (default text)", take_as, NULL, false},
    {"as", "STYLE", "text, latex or json (default text)", take_as, "style", false},
    {"state", "\"x=1, x'=2\"", "the state; other values are solved for", take_state, NULL, false},
    {"released", "NAME,...",
     "also the system without these constraints, and the deviation of the motion from it",
     take_released, NULL, false},
    {"states", "N", "random states to try (default 20)", take_states, NULL, false},
    {"explain", NULL,
     "show which part of the acceleration is due to constraints, and which to forces", take_explain,
     NULL, false},
    {"format", "FORMAT", "text or json (default text)", take_format, NULL, false},
    {"format", "FORMAT", "text, json or csv (default text)", take_format, "shape", false},
    {"format", "FORMAT", "text, json, csv or latex (default text)", take_format, "matrices", false},
    {"write", NULL, "write the result back to the file", take_write, NULL, false},
    {"check", NULL, "write nothing; exit status 1 if the text would change", take_check, NULL,
     false},
    {"format", "FORMAT", "csv or json, on stdout (default csv)", take_format, "table", false},
    {"quiet", NULL, "errors, and why numbers are not to be trusted", take_quiet, NULL, false},
    {"help", NULL, "this text", take_help, NULL, false},
    {"version", NULL, "the version of zwang", take_version, NULL, false},
    {0},
};

_Static_assert(sizeof cli_option_list / sizeof *cli_option_list <= cli_most_options,
               "each has a place among those given");
