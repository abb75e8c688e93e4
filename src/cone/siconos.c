// Siconos (Acary and others, Inria) opened at run time: loading it takes longer than most runs do.
//
// What is declared here is what its library of this number offers; its headers, which bring those
// of other libraries with them, are not needed. It keeps state of its own: one problem at a time.
#include "cone/siconos.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char soname[] = "libsiconos_numerics.so.7";

// storage; solvers in space: Gauss and Seidel (NSGS), and for more contacts Newton (NSN_AC)
enum { dense = 0, gauss_seidel = 500, newton = 504, few = 30 };
enum { most_sweeps = 0, tolerance_at = 0 }; // places of its settings
enum { most_seconds = 30 };                 // of one problem

// the beginning of its structure of settings
typedef struct settings
{
  int solver;
  bool is_set;
  int whole_count;
  int* whole;
  int real_count;
  double* real;
} settings;

typedef struct library
{
  void* (*matrix)(int storage, int rows, int columns, void* data);
  void* (*problem)(int dimension, int contacts, void* matrix, double* q, double* mu);
  settings* (*settings_new)(int solver);
  int (*solve)(void* problem, double* r, double* v, settings* s);
} library;

static library siconos;
static const char* absent = "Siconos has not been looked for";

static bool find(void* opened, const char* name, void* to)
{
  void* found = dlsym(opened, name);
  memcpy(to, &found, sizeof found);
  return found != NULL;
}

static void open_it(void)
{
  absent = "the library of Siconos (libsiconos_numerics.so.7, Debian: libsiconos-numerics7) is not "
           "on this machine";
  void* opened = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
  if (!opened) return;
  absent = "the library of Siconos on this machine lacks what is needed of it";
  if (find(opened, "NM_create_from_data", &siconos.matrix) &&
      find(opened, "frictionContactProblem_new_with_data", &siconos.problem) &&
      find(opened, "solver_options_create", &siconos.settings_new) &&
      find(opened, "fc3d_driver", &siconos.solve))
    absent = NULL;
}

const char* cone_siconos_absent(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_it);
  return absent;
}

static bool is_finite(size_t n, const double* x)
{
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static bool solve(int contacts, double* D, double* q, double* mu, double tolerance, double* r,
                  double* v)
{
  const int rows = 3 * contacts;
  const int solver = contacts <= few ? gauss_seidel : newton;
  settings* s = siconos.settings_new(solver);
  if (!s || s->solver != solver || s->whole_count < 1 || s->real_count < 1) return false;
  s->whole[most_sweeps] = solver == newton ? 200 : 20000;
  s->real[tolerance_at] = tolerance;
  void* p = siconos.problem(3, contacts, siconos.matrix(dense, rows, rows, D), q, mu);
  const int left = siconos.solve(p, r, v, s);
  return left == 0 && is_finite((size_t)rows, r);
}

static bool read_all(int from, void* to, size_t n)
{
  char* at = to;
  while (n) {
    const ssize_t got = read(from, at, n);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    n -= (size_t)got;
  }
  return true;
}

// the answer is written where the parent reads it; nothing is said on its way
static _Noreturn void work(int to, int contacts, double* D, double* q, double* mu, double tolerance,
                           double* r)
{
  const size_t rows = 3 * (size_t)contacts;
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  alarm(most_seconds);
  double* v = base_alloc((rows + 1) * sizeof *v);
  const char* at = (const char*)r;
  size_t left = solve(contacts, D, q, mu, tolerance, r, v) ? rows * sizeof *r : 0;
  while (left) {
    const ssize_t put = write(to, at, left);
    if (put <= 0) break;
    at += put;
    left -= (size_t)put;
  }
  _exit(0);
}

bool cone_siconos_solve(int contacts, double* D, double* q, double* mu, double tolerance, double* r)
{
  const size_t rows = 3 * (size_t)contacts;
  int ends[2];
  memset(r, 0, rows * sizeof *r);
  bool solved = contacts == 0;
  if (contacts && !cone_siconos_absent() && is_finite(rows * rows, D) && is_finite(rows, q) &&
      pipe(ends) == 0) {
    const pid_t child = fork();
    if (child == 0) work(ends[1], contacts, D, q, mu, tolerance, r);
    close(ends[1]);
    solved = child > 0 && read_all(ends[0], r, rows * sizeof *r);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  }
  free(D);
  free(q);
  free(mu);
  return solved;
}
