// Memory that runs out and writes that fail, through the public interface: whatever happens, the
// program goes on, what was not done is said, a file is there whole or not at all (of a sweep: with
// its journal), and what is done is what would have been done without the fault.
//
// ZWANG_FAULTS="MEMORY WRITES SEED" asks for so many faults of each kind (make soak-faults).
#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/base.h"
#include "bead.h"
#include "check.h"
#include "out/hdf5.h"
#include "zwang/zwang.h"

// decimals whose product takes more than 62 bits
static const char blade[] =
    "model \"A blade\"\nparam J = 0.3, a = 0.5\n"
    "param m = 2.123456789012345\ncoord x, y\ncoord theta\n"
    "frame s = world at (x, y, 0) rotated z(theta)\n"
    "body load mass m inertia (J, J, 1.98765432109876*m) at (a, 0, 0) in s\n"
    "constraint blade: vel(s, s).y = 0\n"
    "initial theta' = 1.5\ninitial x' = -0.4\nrun 0 .. 0.3\n";
static const char pendulum[] = "model \"A pendulum\"\nparam g = 9.81, l = 1\ncoord phi\n"
                               "kinetic l^2*phi'^2/2\npotential -g*l*cos(phi)\n"
                               "initial phi = 0.1\nrun 0 .. 0.3\n";
static const char wrong[] = "coord x\nkinetic x'^2/2\nforce x = -k*x\nforce z = 1\n\"";
static const char wall[] = "coord x, y\nparam mu = 0.3\nkinetic (x'^2 + y'^2)/2\nforce y = -9.81\n"
                           "constraint floor: y >= 0 with friction mu\n"
                           "initial y = 0.02\ninitial x' = 1\nrun 0 .. 0.3\n";

// ---- what is asked for --------------------------------------------------------------------------

typedef struct asked
{
  zw_notes* notes;
  zw_model* model;
  zw_system* system;
  const char* folder;
  uint64_t sum; // over all that was answered
  bool done;
  bool quiet; // the last function has no notes
} asked;

static void add(asked* a, const void* bytes, size_t n)
{
  const unsigned char* at = bytes;
  for (size_t i = 0; i < n; i++) a->sum = (a->sum ^ at[i]) * 0x100000001b3u;
}

static void take(asked* a, char* text)
{
  if (text) add(a, text, strlen(text));
  a->done = text != NULL;
  zw_text_free(text);
}

static const char* path_in(const asked* a, const char* name)
{
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", a->folder, name);
  return path;
}

static void check_text(asked* a)
{
  take(a, zw_check(a->system, "text", a->notes));
}
static void derive_text(asked* a)
{
  take(a, zw_equations(a->system, "maggi", "text", a->notes));
}
static void derive_latex(asked* a)
{
  take(a, zw_equations(a->system, "lagrange", "latex", a->notes));
}
static void derive_c(asked* a)
{
  take(a, zw_equations(a->system, "lagrange", "c", a->notes));
}
static void derive_json(asked* a)
{
  take(a, zw_equations(a->system, "lagrange", "json", a->notes));
}
static void list_forms(asked* a)
{
  take(a, zw_forms(a->system, "json", a->notes));
}
static void verify(asked* a)
{
  bool ok;
  take(a, zw_verify(a->system, 2, "json", &ok, a->notes));
}
static void stability(asked* a)
{
  zw_stability_options o = zw_stability_defaults();
  o.over = "l=1..2";
  o.points = 3;
  take(a, zw_stability(a->system, &o, "json", a->notes));
}
static void geometry(asked* a)
{
  zw_geometry_options o = zw_geometry_defaults();
  take(a, zw_geometry(a->system, &o, "json", a->notes));
}
static void eval(asked* a)
{
  zw_point* p = zw_eval(a->system, "lagrange", NULL, a->notes);
  a->quiet = p != NULL;
  if (p) take(a, zw_point_text(p, "json", true));
  zw_point_free(p);
}

static void run(asked* a, const char* method, bool scene,
                zw_status (*write)(const zw_runs* r, const char* path, zw_notes* notes),
                const char* name)
{
  zw_run_options o = zw_run_defaults();
  o.points = 20;
  o.method = method;
  o.scene = scene;
  o.curves = true;
  zw_track* t = zw_run(a->system, &o, a->notes);
  const zw_runs runs = {.track = (const zw_track* const*)&t, .count = 1};
  if (t) a->done = write(&runs, path_in(a, name), a->notes) == ZW_OK;
  zw_track_free(t);
}

static void run_csv(asked* a)
{
  run(a, NULL, false, zw_table_write, "table.csv");
}
static void run_json(asked* a)
{
  run(a, "bdf", false, zw_table_write, "table.json");
}
static void run_gnuplot(asked* a)
{
  run(a, NULL, false, zw_plot_write, "picture.gp");
}

static zw_status write_page(const zw_runs* r, const char* path, zw_notes* notes)
{
  const zw_view_options o = zw_view_defaults();
  return zw_view_write(r, &o, path, notes);
}

static void run_page(asked* a)
{
  run(a, NULL, true, write_page, "page.html");
}

// Was the module that proves built, is the library of HDF5 here?
static bool proves(void)
{
  char path[512];
  const char* folder = getenv("ZWANG_MODULES");
  snprintf(path, sizeof path, "%s/zwang-certify.so", folder ? folder : "src/certify");
  return access(path, R_OK) == 0;
}

static bool has_hdf5(void)
{
  return !out_hdf5_missing();
}

static void certify(asked* a)
{
  zw_run_options o = zw_run_defaults();
  o.points = 2;
  zw_track* t = zw_run(a->system, &o, a->notes);
  zw_certificate* c = t ? zw_certify(t, 5, a->notes) : NULL;
  a->done = c != NULL;
  for (int i = 0; i < zw_certificate_count(c); i++) {
    const char* value = zw_certificate_value(c, i);
    add(a, value, strlen(value));
  }
  zw_certificate_free(c);
  zw_track_free(t);
}

static void run_hdf5(asked* a)
{
  run(a, NULL, false, zw_table_write, "table.h5");
}

static void sweep_hdf5(asked* a)
{
  const char* const over[] = {"m=1..2:6"};
  zw_sweep_options o = zw_sweep_defaults();
  o.over = over;
  o.over_count = 1;
  o.threads = 2;
  o.out = path_in(a, "sweep.h5");
  a->done = zw_sweep(a->model, &o, NULL, a->notes) == ZW_OK;
}

static void sweep(asked* a)
{
  const char* const over[] = {"m=1..2:6"};
  zw_sweep_options o = zw_sweep_defaults();
  o.over = over;
  o.over_count = 1;
  o.threads = 2;
  o.resume = true;
  o.out = path_in(a, "sweep.csv");
  a->done = zw_sweep(a->model, &o, NULL, a->notes) == ZW_OK;
}

// a program, runs and steps of it, what it saves and its equations
static void program(asked* a)
{
  const zw_run_options o = zw_run_defaults();
  zw_program* p = zw_program_new(a->system, "mu", &o, a->notes);
  zw_state* s = p ? zw_state_new(p, a->notes) : NULL;
  double row[16] = {0}, y[4] = {0}, rates[4] = {0};
  size_t size = 0;
  char* bytes = NULL;
  a->done = s && zw_state_run(s, NAN, row, 1, a->notes) == ZW_OK;
  for (int i = 0; i < 3 && a->done; i++) {
    zw_state_set(s, 0, 0.1 * i);
    a->done = zw_state_step(s, 0.05, a->notes) == ZW_OK;
  }
  a->done = a->done && (bytes = zw_state_save(s, &size, a->notes));
  a->done = a->done && zw_state_load(s, bytes, size, a->notes) == ZW_OK;
  a->done = a->done && zw_state_rates(s, 1, 0, y, rates, a->notes) == ZW_OK;
  a->done = a->done && zw_state_row(s, row, a->notes) == ZW_OK;
  if (a->done) add(a, row, sizeof row);
  zw_text_free(bytes);
  zw_state_free(s);
  zw_program_free(p);
}

// the errors are the answer, and the first of them stays the first
static void fail_to_read(asked* a)
{
  a->done = zw_notes_errors(a->notes) > 0;
}

static const struct
{
  const char *name, *model;
  void (*ask)(asked* a);
  bool (*may)(void); // null: on every machine
} commands[] = {{"program", wall, program, NULL},
                {"check", blade, check_text, NULL},
                {"derive text", blade, derive_text, NULL},
                {"derive latex", bead_text, derive_latex, NULL},
                {"derive c", bead_text, derive_c, NULL},
                {"derive json", bead_text, derive_json, NULL},
                {"forms", bead_text, list_forms, NULL},
                {"verify", bead_text, verify, NULL},
                {"stability", pendulum, stability, NULL},
                {"geometry", pendulum, geometry, NULL},
                {"eval", bead_text, eval, NULL},
                {"run csv", wall, run_csv, NULL},
                {"run json", bead_text, run_json, NULL},
                {"run gnuplot", bead_text, run_gnuplot, NULL},
                {"page", bead_text, run_page, NULL},
                {"sweep", bead_text, sweep, NULL},
                {"certify", pendulum, certify, proves},
                {"run hdf5", bead_text, run_hdf5, has_hdf5},
                {"sweep hdf5", bead_text, sweep_hdf5, has_hdf5},
                {"wrong model", wrong, fail_to_read, NULL}};
enum { command_count = sizeof commands / sizeof *commands };

// ---- one of them --------------------------------------------------------------------------------

static char folder[64];

static void make_folder(void)
{
  if (*folder) return;
  snprintf(folder, sizeof folder, "%s/zwang-faults-XXXXXX", "/tmp");
  if (!mkdtemp(folder)) check_fail(__FILE__, __LINE__, "no folder for files");
}

static bool is_there(const char* name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

// Adds whole files to the sum and removes them; how many there were that are none: beginnings
// without a mark.
static int take_files(asked* a)
{
  // of a sweep, with the mark that it is a part
  const bool marked[] = {is_there("sweep.csv.journal"), is_there("sweep.h5.journal")};
  DIR* d = opendir(folder);
  int strays = 0;
  for (struct dirent* e; d && (e = readdir(d));) {
    if (e->d_name[0] == '.' && (!e->d_name[1] || e->d_name[1] == '.')) continue;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
    const bool part = strstr(e->d_name, ".part") || e->d_name[0] == '.';
    strays += part && !(marked[0] && !strcmp(e->d_name, "sweep.csv.part")) &&
              !(marked[1] && !strcmp(e->d_name, "sweep.h5.part"));
    size_t n = 0;
    const char* why;
    char* bytes = base_file_read(path, 1 << 28, &n, &why);
    // a table of a run as HDF5 says how long it took
    const bool timed = !strcmp(e->d_name, "table.h5");
    if (bytes && !part && !timed && !strstr(e->d_name, ".journal")) add(a, bytes, n);
    free(bytes);
    unlink(path);
  }
  if (d) closedir(d);
  return strays;
}

typedef struct outcome
{
  uint64_t sum;
  bool done, said;
  int strays;
  long count[BASE_FAULTS]; // of what could have failed
} outcome;

static outcome ask(int k)
{
  asked a = {.folder = folder, .sum = 0xcbf29ce484222325u};
  const char* text = commands[k].model;
  a.notes = zw_notes_new();
  a.model = zw_model_read_text("model.zw", text, strlen(text), NULL, 0, a.notes);
  a.system = a.model ? zw_derive(a.model, a.notes) : NULL;
  if (a.system || commands[k].ask == fail_to_read) commands[k].ask(&a);
  const long counted[] = {base_fault_count(BASE_FAULT_MEMORY), base_fault_count(BASE_FAULT_WRITE)};
  base_fault_plan(BASE_FAULT_MEMORY, 0, 0);
  base_fault_plan(BASE_FAULT_WRITE, 0, 0);
  outcome out = {.count = {counted[0], counted[1]},
                 .done = a.done,
                 .said = !a.notes || a.quiet || zw_notes_errors(a.notes) > 0};
  for (int i = 0; i < zw_notes_count(a.notes); i++) out.said &= zw_notes_text(a.notes, i) != NULL;
  out.strays = take_files(&a);
  out.sum = a.sum;
  zw_system_free(a.system);
  zw_model_free(a.model);
  zw_notes_free(a.notes);
  return out;
}

// ---- faults -------------------------------------------------------------------------------------

typedef struct tally
{
  long faults, done, refused;
} tally;

static uint64_t random_state = 1;

static long draw(long most)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return 1 + (long)((random_state >> 33) % (uint64_t)(most > 0 ? most : 1));
}

static void judge(int k, const outcome* got, const outcome* want, long number, tally* t)
{
  t->faults++;
  t->done += got->done;
  t->refused += !got->done;
  if (got->done && got->sum != want->sum)
    check_fail(__FILE__, __LINE__, "%s, fault %ld: another answer", commands[k].name, number);
  if (!got->done && !got->said)
    check_fail(__FILE__, __LINE__, "%s, fault %ld: nothing is said", commands[k].name, number);
  if (got->strays)
    check_fail(__FILE__, __LINE__, "%s, fault %ld: a beginning of a file is left", commands[k].name,
               number);
}

// one fault alone, or all from it on, or every nth
static void let_fail(int k, base_fault_kind kind, const outcome* want, long most, tally* t)
{
  const long number = t->faults % 2 ? draw(most) : draw(most < 300 ? most : 300);
  const long every = t->faults % 3 == 0 ? 0 : t->faults % 3 == 1 ? 1 : number;
  base_fault_plan(kind, number, every);
  const outcome got = ask(k);
  judge(k, &got, want, number, t);
}

static long asked_for(int place, long usual)
{
  long number[3] = {usual, usual, usual};
  const char* said = getenv("ZWANG_FAULTS");
  const int got = said ? sscanf(said, "%ld %ld %ld", &number[0], &number[1], &number[2]) : 0;
  return got > place ? number[place] : usual;
}

static tally try_all(base_fault_kind kind, long faults)
{
  tally t = {0};
  make_folder();
  random_state = (uint64_t)asked_for(2, 1);
  outcome want[command_count] = {{0}};
  for (int k = 0; k < command_count; k++) {
    if (commands[k].may && !commands[k].may()) continue;
    ask(k); // what is made once in a program is made
    base_fault_plan(kind, LONG_MAX, 0);
    want[k] = ask(k);
    if (!want[k].done || want[k].strays)
      check_fail(__FILE__, __LINE__, "%s is not done", commands[k].name);
  }
  while (t.faults < faults)
    for (int k = 0; k < command_count && t.faults < faults; k++)
      if (want[k].count[kind]) let_fail(k, kind, &want[k], want[k].count[kind], &t);
  return t;
}

TEST(lack_of_memory_ends_a_call_and_nothing_else)
{
  const tally t = try_all(BASE_FAULT_MEMORY, asked_for(0, 160));
  printf("# %ld faults of memory: %ld answered all the same, %ld refused\n", t.faults, t.done,
         t.refused);
  CHECK(t.refused > 0);
}

TEST(a_write_that_fails_leaves_no_part_of_a_file_without_its_mark)
{
  const tally t = try_all(BASE_FAULT_WRITE, asked_for(1, 40));
  printf("# %ld faults of writing: %ld answered all the same, %ld refused\n", t.faults, t.done,
         t.refused);
  CHECK(t.refused > 0);
  rmdir(folder);
}
