// fuzz: feeds a stage with inputs in a process of its own, and writes down those that break it.
//   fuzz STAGE [--inputs N] [--seconds S] [--seed K] [--corpus FOLDER] [--findings FOLDER]
//              [--models FOLDER]...
//   fuzz STAGE --show FILE...     what the bytes of a file become, and feeds it
//   fuzz --list                   the stages
//   fuzz --draw FOLDER            some inputs of every stage and those kept in FOLDER/STAGE, as TAP
#include "driver.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PLACES = 64, LOG = 20000, TICK = 200000 }; // TICK: microseconds
static const double patience = 120; // s of the processor, for loops that no work is counted in

typedef struct asked
{
  uint64_t inputs, seed;
  double seconds; // 0: until the inputs are made
  const char *corpus, *findings;
  const char* models[8];
  int model_count;
} asked;

typedef struct outcome
{
  uint64_t findings;
  int kinds;
  uint64_t place[PLACES];
  double seconds; // of the processor
} outcome;

static fuzz_shared* shared;
static pid_t child;
static double started, until;

static double now(clockid_t clock)
{
  struct timespec t;
  if (clock_gettime(clock, &t)) return 0;
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ---- files --------------------------------------------------------------------------------------

static char* joined(const char* folder, const char* name)
{
  base_text t = {0};
  base_text_printf(&t, "%s/%s", folder, name);
  return base_text_take(&t);
}

static void make_folder(const char* path)
{
  if (mkdir(path, 0777) && errno != EEXIST) {
    fprintf(stderr, "cannot make %s: %s\n", path, strerror(errno));
    exit(2);
  }
}

static bool ends_in(const char* name, const char* ending)
{
  const size_t n = strlen(name), m = strlen(ending);
  return n >= m && !strcmp(name + n - m, ending);
}

// the bytes of an input from a file; a model is taken as it stands
static size_t read_input(const char* path, uint8_t to[FUZZ_MOST])
{
  FILE* f = fopen(path, "rb");
  if (!f) return 0;
  size_t n = 0;
  if (ends_in(path, ".zw")) to[n++] = FUZZ_LITERAL;
  n += fread(to + n, 1, FUZZ_MOST - n, f);
  // half a model is none
  const bool whole = fgetc(f) == EOF;
  fclose(f);
  return whole ? n : 0;
}

static int by_name(const struct dirent** a, const struct dirent** b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

static void load(const char* folder, const char* ending, bool written)
{
  struct dirent** list;
  const int n = scandir(folder, &list, NULL, by_name);
  for (int i = 0; i < n; i++) {
    uint8_t bytes[FUZZ_MOST];
    if (list[i]->d_name[0] != '.' && ends_in(list[i]->d_name, ending)) {
      char* path = joined(folder, list[i]->d_name);
      const size_t m = read_input(path, bytes);
      if (m > 0 && fuzz_keep(shared, bytes, m)) {
        shared->entry[shared->entries - 1].written = written;
        shared->entry[shared->entries - 1].useful = true;
      }
      free(path);
    }
    (free)(list[i]); // the C library's
  }
  if (n >= 0) (free)(list);
}

// Fowler, Noll and Vo (1991)
static uint64_t sum_of(const uint8_t* bytes, size_t n)
{
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t i = 0; i < n; i++) sum = (sum ^ bytes[i]) * 0x100000001b3u;
  return sum;
}

// named by length, so that short ones come first the next time, and then by what they are
static char* name_of(const char* folder, const uint8_t* bytes, size_t n)
{
  base_text t = {0};
  base_text_printf(&t, "%s/%04zu-%016llx", folder, n, (unsigned long long)sum_of(bytes, n));
  return base_text_take(&t);
}

static void write_bytes(const char* path, const void* bytes, size_t n)
{
  FILE* f = fopen(path, "wb");
  if (f && fwrite(bytes, 1, n, f) != n) fprintf(stderr, "cannot write %s\n", path);
  if (f) fclose(f);
}

// what reaches something new is kept for the next time, what no longer does is not
static void save_corpus(const char* folder)
{
  for (int i = 0; i < shared->entries; i++) {
    const fuzz_entry* e = &shared->entry[i];
    char* path = name_of(folder, shared->bytes + e->at, e->n);
    if (e->useful && !e->written && i >= shared->loaded)
      write_bytes(path, shared->bytes + e->at, e->n);
    if (!e->useful && e->written && (uint64_t)i < shared->done) unlink(path);
    free(path);
  }
}

// ---- findings -----------------------------------------------------------------------------------

static bool is_known(outcome* o, uint64_t place)
{
  for (int i = 0; i < o->kinds; i++)
    if (o->place[i] == place) return true;
  if (o->kinds < PLACES) o->place[o->kinds++] = place;
  return o->kinds == PLACES;
}

static void note_finding(outcome* o, const char* folder, int status, FILE* log)
{
  char text[LOG] = {0};
  o->findings++;
  if (is_known(o, shared->place)) return;
  rewind(log);
  const size_t n = fread(text, 1, sizeof text - 1, log);
  const char* how = WIFSIGNALED(status)                     ? strsignal(WTERMSIG(status))
                    : WEXITSTATUS(status) == FUZZ_EXIT_WORK ? "too much work"
                    : WEXITSTATUS(status) == FUZZ_EXIT_LEAK ? "memory not given back"
                                                            : "the process was ended";
  fprintf(stderr, "%s: %s, input %llu\n%.2000s\n", shared->stage->name, how,
          (unsigned long long)shared->done - 1, text);
  if (!folder) return;
  make_folder(folder);
  char* sub = joined(folder, shared->stage->name);
  make_folder(sub);
  char* path = name_of(sub, shared->input, shared->n);
  write_bytes(path, shared->input, shared->n);
  char* said = base_alloc(strlen(path) + 5);
  sprintf(said, "%s.log", path);
  base_text all = {0};
  base_text_printf(&all, "%s\n", how);
  base_text_addn(&all, text, n);
  write_bytes(said, all.at, all.n);
  base_text_free(&all);
  free(said);
  free(path);
  free(sub);
}

// ---- the process that feeds ---------------------------------------------------------------------

// Ends a run whose time is up, and a process that has not come to its next input for long.
static void tick(int signal_number)
{
  static uint64_t last;
  static pid_t whose;
  static double since;
  (void)signal_number;
  clockid_t clock;
  if (until > 0 && now(CLOCK_MONOTONIC) > until) shared->stop = true;
  if (!child || clock_getcpuclockid(child, &clock)) return;
  const double used = now(clock);
  if (last != shared->done || whose != child) since = used;
  last = shared->done;
  whose = child;
  if (used - since > patience) kill(child, SIGABRT);
}

static void watch_clock(void)
{
  const struct sigaction a = {.sa_handler = tick};
  sigaction(SIGALRM, &a, NULL);
  const struct itimerval often = {{0, TICK}, {0, TICK}};
  setitimer(ITIMER_REAL, &often, NULL);
}

static int wait_for(pid_t pid)
{
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

static outcome feed_all(const asked* q)
{
  outcome o = {0};
  FILE* log = tmpfile();
  watch_clock();
  while (!shared->stop && shared->done < shared->inputs) {
    if (ftruncate(fileno(log), 0) || lseek(fileno(log), 0, SEEK_SET)) break;
    child = fork();
    if (child == 0) {
      const struct itimerval never = {{0, 0}, {0, 0}};
      setitimer(ITIMER_REAL, &never, NULL);
      dup2(fileno(log), STDERR_FILENO);
      fuzz_work(shared);
    }
    const int status = wait_for(child);
    child = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status)) note_finding(&o, q->findings, status, log);
  }
  fclose(log);
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  o.seconds = (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
              1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  return o;
}

static void open_shared(const fuzz_stage* stage, const asked* q)
{
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) exit(3);
  shared->stage = stage;
  shared->seed = q->seed;
  shared->inputs = q->inputs;
  if (q->corpus) load(q->corpus, "", true);
  for (int i = 0; i < q->model_count && stage->models; i++) load(q->models[i], ".zw", false);
  shared->loaded = shared->entries;
  // where it is known what they reach they must reach something first
  for (int i = 0; i < shared->loaded; i++) shared->entry[i].useful = !fuzz_watch_guides();
  started = now(CLOCK_MONOTONIC);
  until = q->seconds > 0 ? started + q->seconds : 0;
}

static outcome run_stage(const fuzz_stage* stage, const asked* q)
{
  if (q->corpus) make_folder(q->corpus);
  open_shared(stage, q);
  outcome o = feed_all(q);
  if (q->corpus) save_corpus(q->corpus);
  return o;
}

static void tell(const fuzz_stage* stage, const outcome* o)
{
  int useful = 0, places = 0;
  for (int i = 0; i < shared->entries; i++) useful += shared->entry[i].useful;
  for (int i = 0; i < FUZZ_PLACES; i++) places += shared->seen[i] != 0;
  printf("%-10s %10llu inputs %8.0f a second of the processor %5llu findings of %d "
         "kinds %6d kept %6d places, most work %llu\n",
         stage->name, (unsigned long long)shared->done, (double)shared->done / o->seconds,
         (unsigned long long)o->findings, o->kinds, useful, places,
         (unsigned long long)shared->most_work);
}

// ---- command line -------------------------------------------------------------------------------

static bool draw_from(const fuzz_stage* stage, const char* kept, int number)
{
  const asked q = {.inputs = (uint64_t)stage->draw, .seed = 1, .corpus = kept};
  open_shared(stage, &q);
  if (kept) shared->inputs = (uint64_t)shared->loaded;
  const outcome o = feed_all(&q);
  printf("%s %d - %s takes %llu inputs%s\n", o.findings ? "not ok" : "ok", number, stage->name,
         (unsigned long long)shared->inputs, kept ? " that broke it once" : "");
  fflush(stdout);
  munmap(shared, sizeof *shared);
  return !o.findings;
}

static int draw(const char* folder)
{
  int number = 0;
  bool fine = true;
  for (const fuzz_stage* stage = fuzz_stages; stage->name; stage++) {
    char* kept = joined(folder, stage->name);
    fine &= draw_from(stage, NULL, ++number);
    if (!access(kept, F_OK)) fine &= draw_from(stage, kept, ++number);
    free(kept);
  }
  printf("1..%d\n", number);
  return !fine;
}

static int show(const fuzz_stage* stage, int count, char** files)
{
  fuzz_shown = true;
  for (int i = 0; i < count; i++) {
    uint8_t bytes[FUZZ_MOST];
    fuzz_choices c = {.at = bytes, .n = read_input(files[i], bytes)};
    fuzz_watch_begin(INT64_MAX, NULL);
    stage->feed(&c);
    printf("# %s: work %llu\n", files[i], (unsigned long long)fuzz_watch_work());
  }
  return 0;
}

static int list(void)
{
  for (const fuzz_stage* s = fuzz_stages; s->name; s++) printf("%s\n", s->name);
  return 0;
}

static int usage(void)
{
  fputs("usage: fuzz STAGE [--inputs N] [--seconds S] [--seed K] [--corpus FOLDER] [--findings "
        "FOLDER] [--models FOLDER]...\n       fuzz STAGE --show FILE...\n       fuzz --draw "
        "FOLDER\nstages:",
        stderr);
  for (const fuzz_stage* s = fuzz_stages; s->name; s++) fprintf(stderr, " %s", s->name);
  fputs("\n", stderr);
  return 2;
}

static bool take(asked* q, const char* name, const char* value)
{
  if (!strcmp(name, "--inputs"))
    q->inputs = strtoull(value, NULL, 10);
  else if (!strcmp(name, "--seconds"))
    q->seconds = strtod(value, NULL);
  else if (!strcmp(name, "--seed"))
    q->seed = strtoull(value, NULL, 10);
  else if (!strcmp(name, "--corpus"))
    q->corpus = value;
  else if (!strcmp(name, "--findings"))
    q->findings = value;
  else if (!strcmp(name, "--models") && q->model_count < 8)
    q->models[q->model_count++] = value;
  else
    return false;
  return true;
}

int main(int argc, char** argv)
{
  if (argc == 3 && !strcmp(argv[1], "--draw")) return draw(argv[2]);
  if (argc == 2 && !strcmp(argv[1], "--list")) return list();
  const fuzz_stage* stage = fuzz_stages;
  while (argc > 1 && stage->name && strcmp(stage->name, argv[1]) != 0) stage++;
  if (argc < 2 || !stage->name) return usage();
  if (argc > 3 && !strcmp(argv[2], "--show")) return show(stage, argc - 3, argv + 3);
  asked q = {.inputs = UINT64_MAX, .seed = 1};
  for (int i = 2; i < argc; i += 2)
    if (i + 1 == argc || !take(&q, argv[i], argv[i + 1])) return usage();
  if (q.inputs == UINT64_MAX && !(q.seconds > 0)) q.seconds = 60;
  const outcome o = run_stage(stage, &q);
  tell(stage, &o);
  return o.findings > 0;
}
