#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "out/fixture.h"

typedef int accelerations(double t, const double* q, const double* v, const double* param,
                          double* a, double* lambda);

// write, compile strictly, load; null with the compiler's words shown
static accelerations* compiled(fixture* f, void** library)
{
  char* folder = fixture_folder(f);
  char* source = base_arena_printf(f->arena, "%s/motion.c", folder);
  char* object = base_arena_printf(f->arena, "%s/motion.so", folder);
  base_text out = {0};
  out_equations(&f->s, &f->e, OUT_C, &out);
  FILE* file = fopen(source, "w");
  fwrite(out.at, 1, out.n, file);
  fclose(file);
  base_text_free(&out);
  char* command = base_arena_printf(
      f->arena,
      "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -O1 -shared -fPIC -o '%s' '%s' -lm 2>&1",
      object, source);
  CHECK_INT(system(command), 0);
  *library = dlopen(object, RTLD_NOW);
  CHECK(*library);
  if (!*library) return NULL;
  accelerations* function;
  *(void**)&function = dlsym(*library, "zwang_accelerations");
  return function;
}

// a pendulum of length l at x, y with speed: lambda by hand, a from it
static void check_pendulum(accelerations* run, const double* param, int constraints)
{
  double m = param ? param[0] : 2, g = param ? param[1] : 9.81;
  for (int i = 0; i < 20; i++) {
    double angle = 0.3 * i, l = 0.5, speed = 1 + 0.1 * i;
    double q[] = {l * cos(angle), l * sin(angle)}, v[] = {-speed * sin(angle), speed * cos(angle)};
    double a[2] = {9, 9}, lambda[2] = {9, 9};
    CHECK_INT(run(0, q, v, param, a, lambda), 0);
    // 2 l^2 lambda = m g y - m speed^2, from x x'' + y y'' = -speed^2
    double total = (m * g * q[1] - m * speed * speed) / (2 * l * l);
    CHECK_NEAR(a[0], 2 * total * q[0] / m, 1e-12);
    CHECK_NEAR(a[1], 2 * total * q[1] / m - g, 1e-12);
    // of all lambda[0] + 3 lambda[1] = total the least, each measured by the acceleration it gives:
    // lambda[0]^2 + (3 lambda[1])^2
    CHECK_NEAR(lambda[0], constraints == 1 ? total : total / 2, 1e-12);
    if (constraints == 2) CHECK_NEAR(lambda[1], total / 6, 1e-12);
    CHECK_INT(run(0, q, v, param, a, NULL), 0);
  }
}

TEST(equations_as_c_compile_and_move_a_pendulum)
{
  fixture* f = fixture_new(1);
  void* library;
  accelerations* run = compiled(f, &library);
  if (run) {
    static const double param[] = {3, 1.62, 0.5};
    check_pendulum(run, NULL, 1);
    check_pendulum(run, param, 1);
    // where the constraint has no gradient nothing holds the reaction: it is zero, and the
    // constraint cannot be kept
    static const double q[2] = {0, 0}, v[2] = {1, 0}, still[2] = {0, 0};
    double a[2], lambda[1];
    CHECK_INT(run(0, q, v, NULL, a, lambda), 1);
    CHECK_INT(run(0, q, still, NULL, a, lambda), 0);
    CHECK_NEAR(a[1], -9.81, 1e-15);
    CHECK_NEAR(lambda[0], 0, 0);
    dlclose(library);
  }
  fixture_free(f);
}

TEST(equations_as_c_share_redundant_reactions_as_runs_do)
{
  fixture* f = fixture_new(2);
  void* library;
  accelerations* run = compiled(f, &library);
  if (run) {
    check_pendulum(run, NULL, 2);
    dlclose(library);
  }
  fixture_free(f);
}

TEST(equations_as_c_survive_hostile_words_and_names)
{
  fixture* f = fixture_new(1);
  f->m.title = "*/ int main(void){return 1;} /* ?\?/ \\";
  f->m.param[0].note = "*/\n#error \"escaped\"\n/*";
  f->m.coord[0].unit = "/* [";
  // a param that looks like a name of ours
  f->m.param[2].name = "c1";
  f->m.param[2].symbol = expr_symbol(f->pool, "c1");
  f->s.F[0] = expr_mul(f->pool, expr_symbol(f->pool, "c1"), expr_symbol(f->pool, "k'"));
  void* library;
  accelerations* run = compiled(f, &library);
  if (run) {
    // params: m, g, c1, then k' which is no param of the model
    static const double param[] = {2, 0, 5, 3}, q[] = {0, 1}, v[] = {0, 0};
    double a[2], lambda[1];
    CHECK_INT(run(0, q, v, param, a, lambda), 0);
    CHECK_NEAR(a[0], 7.5, 1e-15);
    dlclose(library);
  }
  fixture_free(f);
}

TEST(there_is_no_c_for_accelerations_that_are_no_linear_problem)
{
  fixture* f = fixture_new(1);
  CHECK(out_equations_c_unsuited(&f->s) == NULL);
  f->s.c[0] = f->m.coord[0].a;
  CHECK_TEXT(out_equations_c_unsuited(&f->s), "a constraint is not linear in the accelerations");
  fixture_free(f);
}
