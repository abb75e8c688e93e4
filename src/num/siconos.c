// Siconos (Acary and others, Inria) opened at run time: loading it takes longer than most runs do.
//
// What is declared here is what its library of this number offers; its headers, which bring those
// of other libraries with them, are not needed. It keeps state of its own: one problem at a time.
#include "num/siconos.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char soname[] = "libsiconos_numerics.so.7";

// storage; solvers in space: Gauss and Seidel (NSGS), and for more contacts Newton (NSN_AC)
enum { dense = 0, gauss_seidel = 500, newton = 504, few = 30 };
enum { most_sweeps = 0, tolerance_at = 0 }; // places of its settings

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
  void (*problem_free)(void* problem);
  settings* (*settings_new)(int solver);
  void (*settings_free)(settings* s);
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
      find(opened, "frictionContactProblem_free", &siconos.problem_free) &&
      find(opened, "solver_options_create", &siconos.settings_new) &&
      find(opened, "solver_options_delete", &siconos.settings_free) &&
      find(opened, "fc3d_driver", &siconos.solve))
    absent = NULL;
}

const char* num_siconos_absent(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_it);
  return absent;
}

// it ends the process where a number is none
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
  if (!s) return false;
  if (s->solver != solver || s->whole_count < 1 || s->real_count < 1) {
    siconos.settings_free(s);
    return false;
  }
  s->whole[most_sweeps] = solver == newton ? 200 : 20000;
  s->real[tolerance_at] = tolerance;
  void* p = siconos.problem(3, contacts, siconos.matrix(dense, rows, rows, D), q, mu);
  const int left = siconos.solve(p, r, v, s);
  siconos.settings_free(s);
  siconos.problem_free(p);
  return left == 0 && is_finite((size_t)rows, r);
}

bool num_siconos_solve(int contacts, double* D, double* q, double* mu, double tolerance, double* r)
{
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  const size_t rows = 3 * (size_t)contacts;
  memset(r, 0, rows * sizeof *r);
  if (!contacts || num_siconos_absent() || !is_finite(rows * rows, D) || !is_finite(rows, q)) {
    free(D);
    free(q);
    free(mu);
    return contacts == 0;
  }
  double* v = base_alloc((rows + 1) * sizeof *v);
  pthread_mutex_lock(&one);
  const bool solved = solve(contacts, D, q, mu, tolerance, r, v);
  pthread_mutex_unlock(&one);
  free(v);
  return solved;
}
