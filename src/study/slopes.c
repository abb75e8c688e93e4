// Slopes by a step into the complex plane: f(x + ih) = f(x) + ih f'(x) + O(h^2), where h may be as
// small as one likes, for nothing is subtracted (Lyness and Moler, 1967; Squire and Trapp, 1998).
// They have all digits, as those of differentiated expressions, and of many coordinates they take
// one evaluation for each, where expressions would have a term for every way between two of them.
#include "study/slopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/linear.h"

// parts of the expressions times symbols: fewer are differentiated, which is what people can read
static const double large = 3e5;
// its square is no number beside one
static const double step = 1e-100;

struct study_slopes
{
  engine* e;
  code_kernel* kernel;
  int count;
  double *in, *out, *scratch; // complex
};

static void put_state(study_slopes* s)
{
  const int inputs = s->e->program->inputs;
  for (int i = 0; i < inputs; i++) {
    s->in[2 * i] = s->e->in[i];
    s->in[2 * i + 1] = 0;
  }
}

static code_kernel* build(const engine* e, int count, const expr* list)
{
  const engine_program* p = e->program;
  expr* fixed = base_alloc(sizeof *fixed * (size_t)(count + 1));
  memcpy(fixed, list, sizeof *fixed * (size_t)count);
  study_linear_fix(e, count, fixed);
  bool whole = !expr_pool_full(e->s->pool);
  for (int i = 0; i < count; i++) whole = whole && fixed[i] != EXPR_NONE;
  code_kernel* k = whole ? code_build(e->s->pool, count, fixed, p->inputs, p->input, NULL) : NULL;
  free(fixed);
  return k;
}

// has each a value in the complex plane where it has one on the real line?
static bool goes_on(study_slopes* s)
{
  double* plain = base_alloc(sizeof(double) * ((size_t)s->count + code_scratch(s->kernel) + 1));
  bool fine = true;
  put_state(s);
  code_run(s->kernel, s->e->in, plain, plain + s->count);
  code_run_complex(s->kernel, s->in, s->out, s->scratch);
  for (int i = 0; i < s->count; i++)
    fine = fine && (isfinite(s->out[2 * i]) || !isfinite(plain[i]));
  free(plain);
  return fine;
}

study_slopes* study_slopes_new(engine* e, int count, const expr* list, int widely)
{
  for (int i = 0; i < count; i++)
    if (list[i] == EXPR_NONE) return NULL;
  if ((double)widely * (double)expr_size(e->s->pool, count, list) < large) return NULL;
  code_kernel* k = build(e, count, list);
  if (!k) return NULL;
  study_slopes* s = base_alloc(sizeof *s);
  const size_t inputs = (size_t)e->program->inputs;
  *s = (study_slopes){.e = e, .kernel = k, .count = count};
  s->in = base_alloc(sizeof(double) * (2 * inputs + 1));
  s->out = base_alloc(sizeof(double) * (2 * (size_t)count + 1));
  s->scratch = base_alloc(sizeof(double) * (code_scratch_complex(k) + 1));
  if (goes_on(s)) return s;
  study_slopes_free(s);
  return NULL;
}

void study_slopes_free(study_slopes* s)
{
  if (!s) return;
  code_free(s->kernel);
  free(s->in);
  free(s->out);
  free(s->scratch);
  free(s);
}

void study_slopes_at(study_slopes* s, int inputs, const int* input, int stride, double* out)
{
  put_state(s);
  for (int j = 0; j < inputs; j++) {
    s->in[2 * input[j] + 1] = step;
    code_run_complex(s->kernel, s->in, s->out, s->scratch);
    s->in[2 * input[j] + 1] = 0;
    for (int i = 0; i < s->count; i++) out[i * stride + j] = s->out[2 * i + 1] / step;
  }
}

void study_slopes_inputs(const engine* e, int* input)
{
  for (int j = 0; j < 2 * e->n; j++) input[j] = 1 + j;
}
