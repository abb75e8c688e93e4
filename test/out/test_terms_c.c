// C of whole models, compiled: the bits of the interpreter, and the accelerations of a run.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "code/code.h"
#include "lang/lang.h"
#include "out/out.h"

typedef void terms(const double* in, double* out);
typedef int accelerations(double t, const double* q, const double* v, const double* param,
                          double* a, double* lambda);

typedef struct subject
{
  const char* name;
  base_notes* notes;
  base_arena* arena;
  model* m;
  mech_system* s;
  char* source; // of the first form
} subject;

static bool open_model(subject* x, const char* name)
{
  *x = (subject){.name = name, .notes = base_notes_new(), .arena = base_arena_new()};
  const char* root = getenv("ZWANG_SOURCE");
  const char* path = base_arena_printf(x->arena, "%s/models/%s.zw", root ? root : ".", name);
  lang_limits limits = lang_limits_default();
  lang_tree* tree = lang_parse_file(path, &limits, x->arena, x->notes);
  x->m = tree ? model_build(tree, 0, NULL, x->notes) : NULL;
  x->s = x->m ? mech_derive(x->m, x->notes) : NULL;
  if (!x->s) check_fail(__FILE__, __LINE__, "%s cannot be derived", name);
  return x->s != NULL;
}

static void forget(subject* x)
{
  free(x->source);
  mech_free(x->s);
  model_free(x->m);
  base_arena_free(x->arena);
  base_notes_free(x->notes);
}

// what follows the name of the form
static const char* body_of(const char* source)
{
  const char* body = strstr(source, "#include");
  return body ? body : source;
}

// the same file whatever the form
static int print_forms(subject* x)
{
  int forms = 0;
  for (int i = 0; i < mech_form_count(); i++) {
    const mech_form* form = mech_form_at(i);
    if (form->unsuited && form->unsuited(x->s, x->arena)) continue;
    base_notes* notes = base_notes_new();
    mech_equations* e = form->derive(x->s, NULL, notes);
    base_notes_free(notes);
    if (!e) continue;
    base_text out = {0};
    out_equations(x->s, e, OUT_C, &out);
    mech_equations_free(e);
    if (forms++) CHECK_TEXT(body_of(out.at), body_of(x->source));
    if (x->source)
      base_text_free(&out);
    else
      x->source = base_text_take(&out);
  }
  return forms;
}

static void* compile(subject* x)
{
  char folder[] = "/tmp/zwang_terms_XXXXXX";
  CHECK(mkdtemp(folder) != NULL);
  char* source = base_arena_printf(x->arena, "%s/motion.c", folder);
  char* object = base_arena_printf(x->arena, "%s/motion.so", folder);
  FILE* file = fopen(source, "w");
  fputs(x->source, file);
  fclose(file);
  CHECK_INT(system(base_arena_printf(x->arena,
                                     "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -O2 "
                                     "-ffp-contract=off -fno-tree-slp-vectorize -shared -fPIC "
                                     "-o %s %s -lm 2>&1",
                                     object, source)),
            0);
  void* library = dlopen(object, RTLD_NOW);
  CHECK(library != NULL);
  unlink(source);
  unlink(object);
  rmdir(folder);
  return library;
}

// the kernel of the same terms, as the interpreter runs it; params are inputs, then their rates
static code_kernel* interpreted(subject* x, int* count)
{
  const mech_system* s = x->s;
  expr list[4000], in[500];
  int n = s->n, m = s->m, at = 0, inputs = 0;
  *count = n * n + n + m * n + m;
  CHECK(*count <= 4000 && 1 + 2 * n + 3 * x->m->params <= 500);
  for (int i = 0; i < n * n; i++) list[at++] = s->M[i];
  for (int i = 0; i < n; i++) list[at++] = s->F[i];
  for (int i = 0; i < m * n; i++) list[at++] = s->A[i];
  for (int i = 0; i < m; i++) list[at++] = s->c[i];
  in[inputs++] = x->m->t;
  for (int i = 0; i < n; i++) in[inputs++] = s->q[i];
  for (int i = 0; i < n; i++) in[inputs++] = s->v[i];
  for (int i = 0; i < x->m->params; i++) in[inputs++] = x->m->param[i].symbol;
  return code_build(s->pool, *count, list, inputs, in, NULL);
}

static void same_bits(subject* x, terms* run)
{
  int count;
  code_kernel* k = interpreted(x, &count);
  // rates of driven params are further inputs of the file: models without them are compared
  CHECK(k != NULL);
  if (!k) return;
  double in[500], got[4000], want[4000];
  double* scratch = calloc(code_scratch(k) + 1, sizeof *scratch);
  const int n = x->s->n;
  uint64_t seed = 11;
  for (int state = 0; state < 200; state++) {
    for (int i = 0; i < 1 + 2 * n; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      in[i] = (double)(seed >> 11) / 4503599627370496.0 - 1;
    }
    for (int i = 0; i < x->m->params; i++) in[1 + 2 * n + i] = x->m->param[i].number;
    run(in, got);
    code_run(k, in, want, scratch);
    for (int i = 0; i < count; i++)
      if (memcmp(&got[i], &want[i], sizeof *got) != 0 && !(isnan(got[i]) && isnan(want[i])))
        check_fail(__FILE__, __LINE__, "%s, term %d: %.17g compiled, %.17g interpreted", x->name, i,
                   got[i], want[i]);
  }
  free(scratch);
  code_free(k);
}

static void same_accelerations(subject* x, accelerations* run)
{
  study_point* p = study_point_solve(x->s, NULL, 0, NULL, x->notes);
  CHECK(p != NULL);
  if (!p) return;
  double a[64], lambda[64], size = 1;
  CHECK(p->n <= 64 && p->m <= 64);
  CHECK_INT(run(p->t, p->q, p->v, NULL, a, lambda), 0);
  for (int i = 0; i < p->n; i++) size = fmax(size, fabs(p->a[i]));
  for (int i = 0; i < p->n; i++) CHECK_NEAR(a[i], p->a[i], 1e-11 * size);
  study_point_free(p);
}

TEST(c_of_the_gallery_gives_the_bits_of_the_interpreter)
{
  static const char* const names[] = {
      "skater_benchmark", "appell_hamel",   "heavy_top",       "precession",      "double_pendulum",
      "chaplygin_sleigh", "snakeboard",     "whipple_bicycle", "spatial_fourbar", "rolling_disc",
      "wheelset",         "gimbal_on_ship", "car_trailer",     "slider_crank"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    subject x;
    if (open_model(&x, names[i]) && print_forms(&x) > 0) {
      void* library = compile(&x);
      if (library) {
        terms* run;
        accelerations* solve;
        *(void**)&run = dlsym(library, "zwang_terms");
        *(void**)&solve = dlsym(library, "zwang_accelerations");
        same_bits(&x, run);
        same_accelerations(&x, solve);
        dlclose(library);
      }
    }
    forget(&x);
  }
}
