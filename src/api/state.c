// The memory of one run of a program: whole runs, steps, the equations at a state.
#include "api/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

base_stock* api_state_stock(const zw_state* s)
{
  return api_is_alive(API_STATE, s) ? s->stock : NULL;
}

static mech_system* system_of(const zw_state* s)
{
  return s->program->system->system;
}

static size_t numbers_of(const zw_state* s)
{
  return sizeof(double) * (size_t)system_of(s)->model->params;
}

zw_state* zw_state_new(zw_program* p, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_READ(PROGRAM, p));
  zw_state* s = api_object_new(API_STATE, sizeof *s, p, NULL);
  s->program = p;
  s->stock = base_stock_new();
  s->number = base_alloc(numbers_of(s) + 1);
  memcpy(s->number, p->usual, numbers_of(s));
  s->none = walk_track_new(system_of(s)->model);
  s->track = api_object_new(API_TRACK, sizeof *s->track, p, NULL);
  s->track->track = s->none;
  s->track->system = p->system;
  s->track->notes = p->notes;
  return api_hand_out(s);
}

void api_state_clear(void* state)
{
  zw_state* s = state;
  // where memory ran out in the midst of them they may hold what was given back: they are left
  if (!api_object_is_lost(s)) {
    walk_state_free(s->live);
    study_functions_free(s->functions);
    walk_track_free(s->ran);
  }
  // its tracks are the state's
  s->track->track = NULL;
  api_take_back(API_TRACK, s->track);
  api_object_drop(s->track);
  walk_track_free(s->none);
  free(s->number);
  base_stock_free(s->stock);
}

void zw_state_free(zw_state* s)
{
  if (api_take_back(API_STATE, s)) api_object_drop(s);
}

// ---- inputs -------------------------------------------------------------------------------------

zw_status zw_state_set(zw_state* s, int input, double value)
{
  API_ENTER_QUIET(ZW_BAD_INPUT, STATE, s);
  const zw_program* p = s->program;
  if (input < 0 || input >= p->inputs || !isfinite(value)) return ZW_BAD_INPUT;
  s->number[p->param[input]] = value * p->scale[input];
  s->changed = true;
  return ZW_OK;
}

double zw_state_get(const zw_state* s, int input)
{
  API_ENTER_QUIET(NAN, STATE, s);
  const zw_program* p = s->program;
  if (input < 0 || input >= p->inputs) return NAN;
  return s->number[p->param[input]] / p->scale[input];
}

// what the track shows; it is handed out the first time
static void show(zw_state* s, const walk_track* t)
{
  s->track->track = (walk_track*)(uintptr_t)t;
  s->track->scene = t == s->ran ? s->program->scene : NULL; // steps leave no rows to be seen
  if (!s->track->object.was_out) api_hand_out(s->track);
}

static void leave_steps(zw_state* s)
{
  if (s->live && s->track->track == walk_state_track(s->live))
    s->track->track = s->ran ? s->ran : s->none;
  walk_state_free(s->live);
  s->live = NULL;
}

void zw_state_restart(zw_state* s)
{
  API_BEGIN(false, NULL, api_state_stock(s), , , API_IS(STATE, s));
  leave_steps(s);
}

void zw_state_reset(zw_state* s)
{
  API_BEGIN(false, NULL, api_state_stock(s), , , API_IS(STATE, s));
  leave_steps(s);
  memcpy(s->number, s->program->usual, numbers_of(s));
  s->changed = true;
}

// ---- whole runs ---------------------------------------------------------------------------------

static walk_options options_of(const zw_state* s)
{
  walk_options o = s->program->options;
  o.number = s->number;
  return o;
}

// memory of the run before serves this one
static void forget_run(zw_state* s)
{
  walk_track* before = s->ran;
  if (before && s->track->track == before) s->track->track = s->none;
  s->ran = NULL;
  s->rows = 0;
  walk_track_free(before);
}

zw_status zw_state_run(zw_state* s, double until, double* rows, int room, zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(room > 0 ? (const void*)rows : (const void*)s));
  walk_options o = options_of(s);
  if (!isnan(until)) o.until = until;
  forget_run(s);
  walk_track* t = walk_run(system_of(s), &o, notes->notes);
  if (!t) return ZW_BAD_INPUT;
  s->ran = t;
  s->rows = t->table.rows;
  show(s, t);
  const size_t kept = (size_t)(s->rows < room ? s->rows : room);
  if (room > 0 && kept) memcpy(rows, t->table.value, sizeof(double) * kept * (size_t)t->columns);
  return api_run_status(t);
}

int zw_state_rows(const zw_state* s)
{
  API_ENTER_QUIET(0, STATE, s);
  return s->rows;
}

const zw_track* zw_state_track(const zw_state* s)
{
  API_ENTER_QUIET(NULL, STATE, s);
  return s->track->track == s->none ? NULL : s->track;
}

// ---- steps --------------------------------------------------------------------------------------

static bool open_steps(zw_state* s, base_notes* notes)
{
  const walk_options o = options_of(s);
  if (!s->live) s->live = walk_state_new(system_of(s), &o, notes);
  return s->live;
}

zw_status zw_state_step(zw_state* s, double dt, zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(notes));
  if (!(dt >= 0) || isinf(dt)) {
    base_error(notes->notes, BASE_NOWHERE, "zw_state_step: `dt` is %g, no time to go on by", dt);
    return ZW_BAD_INPUT;
  }
  if (!open_steps(s, notes->notes)) return ZW_BAD_INPUT;
  walk_state_give(s->live, s->number);
  walk_state_go_on(s->live, dt, notes->notes);
  show(s, walk_state_track(s->live));
  return api_run_status(walk_state_track(s->live));
}

double zw_state_time(const zw_state* s)
{
  API_ENTER_QUIET(NAN, STATE, s);
  return s->live ? walk_state_time(s->live) : NAN;
}

zw_status zw_state_row(zw_state* s, double* row, zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(row));
  if (!open_steps(s, notes->notes)) return ZW_BAD_INPUT;
  return walk_state_row(s->live, row, notes->notes) ? ZW_OK : ZW_UNFINISHED;
}

// ---- as bytes -----------------------------------------------------------------------------------

// what stands before them: a sum over the rest, and what they belong to
typedef struct seal
{
  uint64_t sum, print;
} seal;

char* zw_state_save(zw_state* s, size_t* size, zw_notes* notes)
{
  API_ENTER(notes, NULL, API_IS(STATE, s), API_HAS(size));
  *size = 0;
  if (!open_steps(s, notes->notes)) return NULL;
  walk_state_give(s->live, s->number);
  base_text out = {0};
  seal x = {0, s->program->print};
  base_text_addn(&out, (const char*)&x, sizeof x);
  if (!walk_state_save(s->live, &out, notes->notes)) {
    base_text_free(&out);
    return NULL;
  }
  show(s, walk_state_track(s->live));
  x.sum = api_sum(api_sum_start, out.at + sizeof x, out.n - sizeof x);
  memcpy(out.at, &x, sizeof x);
  *size = out.n;
  return api_hand_out_text(base_text_take(&out));
}

zw_status zw_state_load(zw_state* s, const char* bytes, size_t size, zw_notes* notes)
{
  API_ENTER_STATUS(notes, API_IS(STATE, s), API_HAS(bytes));
  seal x = {0};
  const bool whole = size >= sizeof x;
  if (whole) memcpy(&x, bytes, sizeof x);
  if (!whole || x.sum != api_sum(api_sum_start, bytes + sizeof x, size - sizeof x)) {
    base_error(notes->notes, BASE_NOWHERE, "zw_state_load: these bytes are not what was saved");
    return ZW_BAD_INPUT;
  }
  if (x.print != s->program->print) {
    base_error(notes->notes, BASE_NOWHERE, "zw_state_load: what was saved is of another program");
    return ZW_BAD_INPUT;
  }
  const walk_options o = options_of(s);
  walk_state* w =
      walk_state_load(system_of(s), &o, bytes + sizeof x, size - sizeof x, notes->notes);
  if (!w) return ZW_BAD_INPUT;
  leave_steps(s);
  s->live = w;
  memcpy(s->number, walk_state_number(w), numbers_of(s));
  s->changed = true;
  show(s, walk_state_track(w));
  return ZW_OK;
}

// ---- the equations ------------------------------------------------------------------------------

// with the inputs as they are now
static bool open_functions(zw_state* s, base_notes* notes)
{
  if (!s->functions) {
    s->functions = study_functions_new(system_of(s), s->number, notes);
    s->changed = false;
  }
  if (!s->functions) return false;
  if (s->changed && !study_functions_give(s->functions, s->number, notes)) return false;
  s->changed = false;
  return true;
}

static void leave_rates(double* rates, int n, int count)
{
  for (int i = 0; i < 2 * n; i++) rates[(size_t)i * (size_t)count] = NAN;
}

zw_status zw_state_rates(zw_state* s, int count, double t, const double* y, double* rates,
                         zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(y), API_HAS(rates));
  const int n = system_of(s)->n;
  if (count < 1) {
    base_error(notes->notes, BASE_NOWHERE, "zw_state_rates: `count` is %d, no states", count);
    return ZW_BAD_INPUT;
  }
  if (!open_functions(s, notes->notes)) return ZW_BAD_INPUT;
  zw_status status = ZW_OK;
  base_notes* quiet = NULL;
  const bool lanes = count >= STEP_ABREAST && study_functions_begin_lanes(s->functions, t);
  for (int k = 0; k < count; k++) {
    if (lanes && k % STEP_ABREAST == 0 &&
        study_functions_lanes(s->functions, y + k, count - k, count, rates + k)) {
      k += STEP_ABREAST - 1;
      continue;
    }
    if (study_functions_at(s->functions, t, y + k, count, quiet ? quiet : notes->notes)) {
      study_functions_rates(s->functions, rates + k, count);
      continue;
    }
    // the first that has none is told
    if (!quiet) quiet = base_notes_new();
    status = ZW_UNFINISHED;
    leave_rates(rates + k, n, count);
  }
  base_notes_free(quiet);
  return status;
}

// the functions at one state
static zw_status at(zw_state* s, double t, const double* y, base_notes* notes)
{
  if (!open_functions(s, notes)) return ZW_BAD_INPUT;
  return study_functions_at(s->functions, t, y, 1, notes) ? ZW_OK : ZW_UNFINISHED;
}

zw_status zw_state_jacobian(zw_state* s, double t, const double* y, double* J, zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(y), API_HAS(J));
  const zw_status status = at(s, t, y, notes->notes);
  if (status != ZW_OK) return status;
  return study_functions_jacobian(s->functions, J, notes->notes) ? ZW_OK : ZW_BAD_INPUT;
}

zw_status zw_state_mass(zw_state* s, double t, const double* y, double* M, zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(y), API_HAS(M));
  const zw_status status = at(s, t, y, notes->notes);
  if (status != ZW_OK) return status;
  return study_functions_mass(s->functions, M, notes->notes) ? ZW_OK : ZW_BAD_INPUT;
}

zw_status zw_state_forces(zw_state* s, double t, const double* y, double* F, zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(y), API_HAS(F));
  const zw_status status = at(s, t, y, notes->notes);
  if (status != ZW_OK) return status;
  return study_functions_forces(s->functions, F, notes->notes) ? ZW_OK : ZW_BAD_INPUT;
}

zw_status zw_state_reactions(zw_state* s, double t, const double* y, double* reactions,
                             zw_notes* notes)
{
  API_ENTER_STATE(notes, s, API_HAS(y), API_HAS(reactions));
  const zw_status status = at(s, t, y, notes->notes);
  if (status == ZW_OK) study_functions_reactions(s->functions, reactions);
  return status;
}
