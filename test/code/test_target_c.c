// The C source of kernels: compiled by the compilers of this machine, the same bits as interpreted.
#include "check.h"
#include "code/graphs.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define KERNELS 80
#define OUTPUTS 4

typedef void function(const double* in, double* out);

static code_kernel* random_kernel(expr_pool* p, const expr* in, int i)
{
  graph_random r = {(uint64_t)i * 104729 + 5};
  expr out[OUTPUTS];
  graph_make(p, &r, 5 + 2 * i, in, OUTPUTS, out);
  return code_build(p, OUTPUTS, out, GRAPH_INPUTS, in, NULL);
}

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void compare(const code_kernel* k, function* f)
{
  graph_random r = {99};
  double* scratch = malloc(code_scratch(k) * sizeof *scratch);
  for (int trial = 0; trial < 50; trial++) {
    double x[GRAPH_INPUTS], interpreted[OUTPUTS], compiled[OUTPUTS];
    for (int i = 0; i < GRAPH_INPUTS; i++) x[i] = graph_between(&r, -3, 3);
    if (trial == 0) x[0] = NAN;
    if (trial == 1) x[1] = 0;
    code_run(k, x, interpreted, scratch);
    f(x, compiled);
    for (int i = 0; i < OUTPUTS; i++) {
      if (same_bits(interpreted[i], compiled[i])) continue;
      check_fail(__FILE__, __LINE__, "interpreted %a, compiled %a", interpreted[i], compiled[i]);
    }
  }
  free(scratch);
}

// the source of all kernels and its folder
typedef struct bundle
{
  char folder[64];
  code_kernel* kernel[KERNELS];
} bundle;

// everything a careful user would ask of a compiler
static bool compile(const bundle* b, const char* compiler, const char* options)
{
  char line[512];
  snprintf(line, sizeof line,
           "%s -std=c99 %s -ffp-contract=off -Wall -Wextra -Wpedantic -Wshadow -Werror -shared "
           "-fPIC -o %s/k.so %s/k.c -lm",
           compiler, options, b->folder, b->folder);
  return system(line) == 0;
}

static void compare_all(const bundle* b)
{
  char path[128];
  snprintf(path, sizeof path, "%s/k.so", b->folder);
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  for (int i = 0; i < KERNELS && library; i++) {
    char name[32];
    snprintf(name, sizeof name, "kernel%d", i);
    function* f;
    *(void**)&f = dlsym(library, name);
    CHECK(f);
    if (f) compare(b->kernel[i], f);
  }
  if (library) dlclose(library);
  unlink(path);
}

static void write_bundle(const bundle* b)
{
  base_text source = {0};
  for (int i = 0; i < KERNELS; i++) {
    char name[32];
    snprintf(name, sizeof name, "kernel%d", i);
    code_print_c(b->kernel[i], name, &source);
  }
  char path[128];
  snprintf(path, sizeof path, "%s/k.c", b->folder);
  FILE* file = fopen(path, "w");
  CHECK(file && fwrite(source.at, 1, source.n, file) == source.n && fclose(file) == 0);
  base_text_free(&source);
}

static void check_compiler(const char* compiler)
{
  char found[64];
  snprintf(found, sizeof found, "command -v %s >/dev/null 2>&1", compiler);
  if (system(found) != 0) SKIP("the compiler is not installed");

  bundle b = {.folder = "/tmp/zwang-code-XXXXXX"};
  CHECK(mkdtemp(b.folder));
  expr_pool* p = expr_pool_new(0);
  expr in[GRAPH_INPUTS];
  graph_symbols(p, in);
  for (int i = 0; i < KERNELS; i++) b.kernel[i] = random_kernel(p, in, i);
  write_bundle(&b);
  const char* options[] = {"-O0", "-O2"};
  for (int i = 0; i < 2; i++) {
    bool compiled = compile(&b, compiler, options[i]);
    CHECK(compiled);
    if (compiled) compare_all(&b);
  }

  char source[128];
  snprintf(source, sizeof source, "%s/k.c", b.folder);
  unlink(source);
  rmdir(b.folder);
  for (int i = 0; i < KERNELS; i++) code_free(b.kernel[i]);
  expr_pool_free(p);
}

TEST(c_source_has_the_interpreters_bits_under_gcc)
{
  check_compiler("gcc");
}

TEST(c_source_has_the_interpreters_bits_under_clang)
{
  check_compiler("clang");
}
