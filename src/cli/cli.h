// cli: the program zwang, on the public door only.
// Takes the command line; gives texts on stdout, notes on stderr, an exit status.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <zwang/zwang.h>

enum { CLI_DONE = 0, CLI_UNFINISHED = 1, CLI_BAD_INPUT = 2, CLI_NO_ROOM = 3 };

enum { cli_most_sets = 64, cli_most_values = 64, cli_most_overs = 64, cli_most_options = 256 };

typedef struct cli_options
{
  const char* model;
  const char* sets[cli_most_sets + 1];
  char* made[cli_most_sets]; // those of them that an --input was made into
  int made_count;
  int set_count;
  double until, tolerance, step, every, digits;
  const char *method, *contact_solver, *contacts, *beyond;
  double* at;
  int at_count;
  const char* place; // --at of commands that take a point
  const char *region, *energy, *map;
  double geodesic; // its length
  bool curvature;  // and metric alone
  const char *inputs, *outputs, *section, *motion, *along;
  int points, states;
  const char *out, *plot, *form, *as, *show, *state, *released, *format;
  const char* columns; // of the table
  bool units, manifolds;
  const char* compare;                   // NAME=V1,V2,...
  const char* over;                      // NAME=FROM..TO
  const char* second;                    // the same, of --and
  bool orbit;                            // a periodic motion of whatever period
  const char* overs[cli_most_overs + 1]; // of a sweep
  const char* basins[cli_most_overs + 1];
  int over_count, basin_count, threads;
  long long random, sobol;
  unsigned long long seed;
  const char *results, *device;
  double period;
  const char* drives[cli_most_overs + 1]; // of a mechanism
  int drive_count;
  bool mechanism; // the command asks for kinematics alone
  const char* film;
  double fps, frame;           // nan: not said
  int width, height;           // 0: not said
  bool rest, steady, symbolic; // of linearise
  bool conserved;              // integrals that are found are watched
  bool certify, estimate, explain, embed, all, resume, quiet, help, version, open, watch;
  bool live;                    // of view
  bool write, check;            // of format
  bool given[cli_most_options]; // options met so far, in the order of their table
} cli_options;

typedef struct cli_command
{
  const char* name;
  const char* summary;
  const char* options;  // names of the options it takes, space-separated
  const char* argument; // "MODEL", "[NAME]", "" for none
  int (*run)(const cli_options* o);
} cli_command;

typedef struct cli_option
{
  const char* name;
  const char* value; // what it takes, null for a switch
  const char* text;
  bool (*take)(cli_options* o, const char* name, const char* value);
  // in the list of a command, where options of one name mean different things to different
  // commands: times of rows or a point, one range or several lists
  const char* key;
  bool repeats; // may be given more than once
} cli_option;
extern const cli_option cli_option_list[]; // the last has no name

extern const cli_command cli_commands[];

// the options of a command line behind the command; 0, or CLI_BAD_INPUT with the reason printed
int cli_parse(const cli_command* c, int argc, char** argv, cli_options* o);
void cli_options_free(cli_options* o);
void cli_help(const cli_command* c, FILE* out); // null: the program as a whole
void cli_complain(const char* format, ...) __attribute__((format(printf, 1, 2)));
// the word of the list nearest to the one typed, or null
const char* cli_nearest(const char* word, const char* const* words);

int cli_continue(const cli_options* o);
int cli_linearise(const cli_options* o);
int cli_inverse(const cli_options* o);
int cli_move(const cli_options* o);
int cli_run(const cli_options* o);
int cli_view(const cli_options* o);
int cli_derive(const cli_options* o);
int cli_eval(const cli_options* o);
int cli_check(const cli_options* o);
int cli_verify(const cli_options* o);
int cli_examples(const cli_options* o);
int cli_parts(const cli_options* o);
int cli_geometry(const cli_options* o);
int cli_stability(const cli_options* o);
int cli_structure(const cli_options* o);
int cli_chaos(const cli_options* o);
int cli_sweep(const cli_options* o);
int cli_format(const cli_options* o);
int cli_lsp(const cli_options* o);

// ---- shared by the commands ---------------------------------------------------------------------

int cli_assemblies(const cli_options* o); // of a mechanism, all of them
// the runs asked for; their tables and plots, or a page of them where a path for it is given
int cli_runs(const cli_options* o, const char* page);
// a few rows of the table, for people (motion.c)
void cli_motion_print(const zw_track* t);
// summaries of runs side by side, each by its name (compare.c)
void cli_compare_print(int count, char* const* summary, const char* const* name);
// the exit status for a status of the library
int cli_exit(zw_status s);
// the model of that path; `-` is the standard input
zw_model* cli_read_model(const char* path, const char* const* sets, int count, zw_notes* notes);
// the text of a file, or of the standard input as `-`, one byte more than may be read at most; null
// with the reason printed
char* cli_read_text(const char* path, size_t* length);
// the same with the drives of the options, for kinematics alone
zw_model* cli_read_mechanism(const cli_options* o, const char* const* sets, int count,
                             zw_notes* notes);
// notes not printed yet, warnings left out when quiet
void cli_print_notes(const zw_notes* n, int* printed, bool quiet);
// write to stdout and see that it arrived; CLI_DONE or CLI_NO_ROOM
int cli_put(const char* text);

typedef struct cli_progress
{
  bool shown, wanted;
  double started, last;
} cli_progress;
// Ctrl-C and a wish to terminate are noted between these two, and not obeyed at once
void cli_interrupts_catch(void);
void cli_interrupts_leave(void);
bool cli_interrupted(void);
void cli_progress_start(cli_progress* p, bool quiet);
bool cli_progress_step(void* context, const zw_progress* p);
void cli_progress_end(cli_progress* p);
