// Explicit Runge-Kutta steps of Dormand and Prince, order 8(5,3), of many runs side by side: each
// lane has its own time, its own step and its own errors; only the instructions are shared. The
// method, its coefficients and its control of steps are those of step_method_dop853, but for what
// the first steps, held back by what is not known yet, mean for the next.
#include "step/dop853_table.h"
#include "step/step.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { slopes = 13, most_trouble = 12, most_steps = 1000000, alignment = 64 };
enum { rows_on_the_way = 8 };
// of a value that is watched: so near to zero it may pass it unseen
static const double step_near = 0.1;
// forces that balance leave rounding of about this size
static const double least_absolute = 1e-16;
// of a step: those of slopes are a thousandth of it at most where the state does not change a
// hundred times in one
static const double fine_tolerance = 1e-10;
// log2 of 1e-2: errors below it count as that for the next step. They are those of steps that were
// held back, at the start above all, and say little of how errors grow.
static const double log_least_error = -6.643856189774724;
// Of the first step, of which only a bound is known before it is made. Not more: errors that small
// are made of roundings, and the length of the next step would be, too.
static const double most_growth = 20;
// log2 of 1e-14: the same for this one
static const double log_no_error = -46.50699332842307;

struct step_lanes
{
  step_lanes_problem p;
  void* context;
  double rel_tol; // of a step
  bool fine;      // so small that roundings of the slopes count beside it
  void (*begin)(step_lanes* s);
  void (*trial)(step_lanes* s);
  void (*both)(step_lanes* s); // of this block and the second
  step_lanes* second;          // the block whose inputs and results are behind those of this one
  step_lanes* waiting;         // runs that are to begin; null: none has waited
  double* in;                  // t, y, what stays: the point of a stage; then the length
                               // of the step, what is kept of the rates at its beginning
  double *k0, *made;           // the latter; what the stages have made
  double *y, *carry, *y_new, *carried; // n rows
  double* k[slopes];                   // `outputs` rows; null where others make the stages
  // one row each, one behind the other, as all that follow; the first rows_on_the_way say where a
  // run is on its way
  double *t, *t_carry, *t_end, *h, *log_error, *longest, *seen_place, *seen_speed;
  double *sum, *well;
  int64_t *active, *begins, *rejected, *ended, *left, *lost; // masks: all bits or none
  int64_t *trouble, *steps;                                  // counts
  bool fresh;                                                // a run begins
  uint32_t news;   // lanes whose run ended, left or was lost
  int kept, *from; // outputs that are kept, and which
  void* block;
};

// vectors pass between inlined functions only: no binary interface is touched
#pragma GCC diagnostic ignored "-Wpsabi"

// ---- the kinds of vectors -----------------------------------------------------------------------

#define TARGET
#define LANES      4
#define KIND(NAME) NAME##_plain4
#include "step/lanes_plain.h"
#undef LANES
#undef KIND

#define LANES      8
#define KIND(NAME) NAME##_plain8
#include "step/lanes_plain.h"
#undef LANES
#undef KIND
#undef TARGET

#if defined(__x86_64__)
#include <immintrin.h>

#define LANES            4
#define KIND(NAME)       NAME##_avx2
#define TARGET           __attribute__((target("avx2,fma")))
#define FMA(A, B, C)     ((V)_mm256_fmadd_pd((__m256d)(A), (__m256d)(B), (__m256d)(C)))
#define MARKS(MASK)      ((uint32_t)_mm256_movemask_pd((__m256d)(MASK)))
#define MAX(A, B)        ((V)_mm256_max_pd((__m256d)(A), (__m256d)(B)))
#define MIN(A, B)        ((V)_mm256_min_pd((__m256d)(A), (__m256d)(B)))
#define PICK(MASK, A, B) ((V)_mm256_blendv_pd((__m256d)(B), (__m256d)(A), (__m256d)(MASK)))
#include "step/lanes_kernel.h"
#undef LANES
#undef KIND
#undef FMA
#undef MARKS
#undef MAX
#undef MIN
#undef PICK
#undef TARGET

#define LANES            8
#define KIND(NAME)       NAME##_avx512
#define TARGET           __attribute__((target("avx512f,avx512dq,avx512vl")))
#define FMA(A, B, C)     ((V)_mm512_fmadd_pd((__m512d)(A), (__m512d)(B), (__m512d)(C)))
#define MARKS(MASK)      ((uint32_t)(uint8_t)(MASK))
#define MAX(A, B)        ((V)_mm512_max_pd((__m512d)(A), (__m512d)(B)))
#define MIN(A, B)        ((V)_mm512_min_pd((__m512d)(A), (__m512d)(B)))
#define PICK(MASK, A, B) ((V)_mm512_mask_blend_pd((__mmask8)(MASK), (__m512d)(B), (__m512d)(A)))
#define MASK             __mmask8
#define NOWHERE          ((__mmask8)0)
#define LESS(A, B)       _mm512_cmp_pd_mask((__m512d)(A), (__m512d)(B), _CMP_LT_OQ)
#define UPTO(A, B)       _mm512_cmp_pd_mask((__m512d)(A), (__m512d)(B), _CMP_LE_OQ)
#define MORE(A, B)       _mm512_cmpgt_epi64_mask((__m512i)(A), (__m512i)(B))
#define READ(ROW)        _mm512_movepi64_mask(*(const __m512i*)(ROW))
#define ONES(MASK)       ((I)_mm512_movm_epi64((__mmask8)(MASK)))
#include "step/lanes_kernel.h"
#undef LANES
#undef KIND
#undef FMA
#undef MARKS
#undef MAX
#undef MIN
#undef PICK
#undef TARGET
#endif

static void choose_kind(step_lanes* s)
{
  const bool four = s->p.width == 4, watched = s->p.watches || s->p.before || s->p.settle;
#define TAKE_KIND(NAME)                                                               \
  (s->begin = begin_##NAME, s->trial = watched ? trial_watched_##NAME : trial_##NAME, \
   s->both = watched ? both_watched_##NAME : both_##NAME)
  if (four)
    TAKE_KIND(plain4);
  else
    TAKE_KIND(plain8);
#if defined(__x86_64__)
  if (four && BASE_HAS_AVX2 && BASE_HAS_FMA) {
    TAKE_KIND(avx2);
  } else if (!four && BASE_HAS_AVX512_DQ && BASE_HAS_AVX512_VL) {
    TAKE_KIND(avx512);
  }
#endif
#undef TAKE_KIND
}

// ---- lanes --------------------------------------------------------------------------------------

int step_lanes_abreast(const step_lanes_problem* p)
{
  return p->pair ? 2 * p->width : p->width;
}

// The slopes of the first stage hold those of a beginning, too, and those of the last one are at
// the end of the step.
static bool is_held(const step_lanes_problem* p, int slope)
{
  return !p->stages || slope == 1 || slope == slopes - 1;
}

// the first block has room for the inputs and results of both
static step_lanes* open_block(const step_lanes_problem* p, void* context, step_lanes* first)
{
  step_lanes* s = base_alloc(sizeof *s);
  s->p = *p;
  s->context = context;
  s->rel_tol = fmax(0.1 * p->rel_tol, 4 * DBL_EPSILON);
  s->fine = s->rel_tol < fine_tolerance;
  s->kept = step_lanes_kept(p);
  s->from = base_alloc(sizeof(int) * (size_t)(s->kept + 1));
  memcpy(s->from, p->row, sizeof(int) * (size_t)p->n);
  if (p->along >= 0) s->from[p->n] = p->along;
  for (int i = 0; i < p->watches; i++) s->from[s->kept - p->watches + i] = p->watch + i;
  size_t held = 0;
  for (int i = 0; i < slopes; i++) held += is_held(p, i);
  const size_t n = (size_t)p->n, given = (size_t)(p->inputs + 1 + s->kept),
               made = (size_t)step_lanes_made(p),
               blocks = first     ? 0
                        : p->pair ? 2
                                  : 1,
               rows = blocks * (given + made) + 4 * n + held * (size_t)p->outputs + 18;
  s->block = base_alloc(rows * (size_t)p->width * sizeof(double) + alignment);
  double* at = (double*)(((uintptr_t)s->block + alignment - 1) / alignment * alignment);
  const size_t row = (size_t)p->width;
#define TAKE(FIELD, COUNT) s->FIELD = (void*)at, at += (COUNT)*row
  TAKE(in, blocks * given);
  TAKE(made, blocks * made);
  if (first) {
    s->in = first->in + given * row;
    s->made = first->made + made * row;
  }
  s->k0 = s->in + ((size_t)p->inputs + 1) * row;
  TAKE(y, n);
  TAKE(carry, n);
  TAKE(y_new, n);
  TAKE(carried, n);
  for (int i = 0; i < slopes; i++)
    if (is_held(p, i)) TAKE(k[i], (size_t)p->outputs);
  TAKE(t, 1);
  TAKE(t_carry, 1);
  TAKE(t_end, 1);
  TAKE(h, 1);
  TAKE(log_error, 1);
  TAKE(longest, 1);
  TAKE(seen_place, 1);
  TAKE(seen_speed, 1);
  TAKE(sum, 1);
  TAKE(well, 1);
  TAKE(active, 1);
  TAKE(begins, 1);
  TAKE(rejected, 1);
  TAKE(ended, 1);
  TAKE(left, 1);
  TAKE(lost, 1);
  TAKE(trouble, 1);
  TAKE(steps, 1);
#undef TAKE
  choose_kind(s);
  return s;
}

step_lanes* step_lanes_new(const step_lanes_problem* p, void* context)
{
  assert((p->width == 4 || p->width == 8) && p->n >= 0 && p->guard >= 0);
  assert(!p->pair || p->stages);
  step_lanes* s = open_block(p, context, NULL);
  if (p->pair) s->second = open_block(p, context, s);
  return s;
}

void step_lanes_free(step_lanes* s)
{
  if (!s) return;
  step_lanes_free(s->second);
  step_lanes_free(s->waiting);
  free(s->from);
  free(s->block);
  free(s);
}

// the block of a lane, whose number becomes that in it
static step_lanes* block_of(const step_lanes* s, int* lane)
{
  if (*lane < s->p.width) return (step_lanes*)s;
  *lane -= s->p.width;
  return s->second;
}

// the beginning of a run, but for what its first rates tell
static void lay(step_lanes* s, int lane, const step_lanes_run* r)
{
  const int w = s->p.width;
  s->t[lane] = r->t;
  s->t_carry[lane] = 0;
  s->t_end[lane] = r->t_end;
  s->longest[lane] = r->longest;
  for (int i = 0; i < s->p.n; i++) {
    s->y[i * w + lane] = r->y[i];
    s->carry[i * w + lane] = 0;
  }
  const int rest = s->p.inputs - 1 - s->p.n;
  double* in = s->in + (1 + s->p.n) * w + lane;
  for (int i = 0; i < rest; i++) in[i * w] = r->rest[i];
  s->begins[lane] = -1;
  s->fresh = true;
}

// nothing has happened to it yet
static void clear(step_lanes* s, int lane)
{
  s->sum[lane] = 0;
  s->active[lane] = -1;
  s->rejected[lane] = s->ended[lane] = s->left[lane] = s->lost[lane] = 0;
  s->trouble[lane] = s->steps[lane] = 0;
}

void step_lanes_put(step_lanes* all, int lane, const step_lanes_run* r)
{
  step_lanes* s = block_of(all, &lane);
  lay(s, lane, r);
  clear(s, lane);
}

// where a lane is on its way, from another one
static void copy(step_lanes* s, int lane, const step_lanes* from, int with)
{
  const int w = s->p.width, given = s->p.inputs + 1 + s->kept;
  for (int i = 0; i < rows_on_the_way; i++) s->t[i * w + lane] = from->t[i * w + with];
  for (int i = 0; i < s->p.n; i++) {
    s->y[i * w + lane] = from->y[i * w + with];
    s->carry[i * w + lane] = from->carry[i * w + with];
  }
  for (int i = 1 + s->p.n; i < given; i++) s->in[i * w + lane] = from->in[i * w + with];
  s->begins[lane] = 0;
}

// an idle lane goes along with a lane that has a run: its numbers are ordinary ones
void step_lanes_idle(step_lanes* all, int lane, int with)
{
  step_lanes* s = block_of(all, &lane);
  const step_lanes* from = block_of(all, &with);
  copy(s, lane, from, with);
  s->active[lane] = s->ended[lane] = s->left[lane] = s->lost[lane] = 0;
}

void step_lanes_wait(step_lanes* s, int place, const step_lanes_run* r)
{
  if (!s->waiting) s->waiting = open_block(&s->p, s->context, NULL);
  lay(s->waiting, place, r);
}

void step_lanes_take(step_lanes* all, int lane, int place)
{
  step_lanes *s = block_of(all, &lane), *from = all->waiting;
  if (from->fresh) from->begin(from);
  copy(s, lane, from, place);
  clear(s, lane);
}

static void begin(step_lanes* s)
{
  if (s->fresh) s->begin(s);
  s->news = 0;
}

uint32_t step_lanes_step(step_lanes* s)
{
  step_lanes* second = s->second;
  begin(s);
  if (second) begin(second);
  // also where one of them is idle, at the end of many runs: no code but this need be there
  if (second)
    s->both(s);
  else
    s->trial(s);
  return s->news | (second ? second->news << s->p.width : 0);
}

step_lanes_state step_lanes_look(const step_lanes* all, int lane)
{
  const step_lanes* s = block_of(all, &lane);
  if (!s->active[lane]) return STEP_LANES_IDLE;
  return s->lost[lane]    ? STEP_LANES_LOST
         : s->left[lane]  ? STEP_LANES_LEFT
         : s->ended[lane] ? STEP_LANES_ENDED
                          : STEP_LANES_RUNNING;
}

double step_lanes_get(const step_lanes* all, int lane, double* y, int64_t* steps)
{
  const step_lanes* s = block_of(all, &lane);
  for (int i = 0; i < s->p.n; i++) y[i] = s->y[i * s->p.width + lane];
  if (steps) *steps = s->steps[lane];
  return s->t[lane];
}

double step_lanes_sum(const step_lanes* all, int lane)
{
  const step_lanes* s = block_of(all, &lane);
  return s->sum[lane];
}
