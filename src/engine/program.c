// The program of a system: made once, kept with the system, const from then on.
#include "engine/inside.h"

#include <string.h>

static const char what[] = "program";

// ---- making -------------------------------------------------------------------------------------

// a param whose rates enter neither F nor c only changes forces: its jump moves no velocity
static void find_drivers(engine_program* p)
{
  const mech_system* s = p->s;
  p->drives = engine_program_take(p, (size_t)p->p, sizeof(bool));
  for (int i = 0; i < p->p; i++) {
    const model_param* a = &p->model->param[p->changing[i]];
    const expr rates[2] = {a->rate, a->rate2};
    if (a->rate == EXPR_NONE) continue; // it only jumps
    for (int j = 0; j < p->n && !p->drives[i]; j++)
      p->drives[i] = expr_has_any(s->pool, s->F[j], 2, rates);
    for (int k = 0; k < p->m && !p->drives[i]; k++)
      p->drives[i] = expr_has_any(s->pool, s->c[k], 2, rates);
  }
}

enum { kernel_count = 16 };

static void list_kernels(const engine_program* p, code_kernel** list)
{
  code_kernel* all[kernel_count] = {
      p->switches, p->eom,   p->levels, p->momenta, p->energy, p->columns, p->watches, p->integrals,
      p->coupling, p->slips, p->guards, p->feet,    p->curved, p->turns,   p->delayed, p->work};
  memcpy(list, all, sizeof all);
}

static size_t scratch_needed(const engine_program* p)
{
  code_kernel* kernels[kernel_count];
  list_kernels(p, kernels);
  size_t most = 1;
  for (int i = 0; i < kernel_count; i++) {
    const size_t need = kernels[i] ? code_scratch(kernels[i]) : 0;
    if (need > most) most = need;
  }
  return most;
}

// full matrices that would fill the memory
static bool fits(const engine_program* p, base_notes* notes)
{
  static const double most_entries = 4e6;
  if ((double)p->m * p->n <= most_entries) return true;
  base_error(notes, BASE_NOWHERE,
             "%d constraints on %d coordinates: full matrices take no more than %.0f entries", p->m,
             p->n, most_entries);
  return false;
}

static engine_program* begin(const mech_system* s, engine_kind kind)
{
  base_arena* arena = base_arena_new();
  engine_program* p = base_arena_take(arena, sizeof *p);
  *p = (engine_program){.arena = arena,
                        .s = s,
                        .model = s->model,
                        .n = s->n,
                        .m = s->m,
                        .is_part = kind.is_part,
                        .others = kind.others,
                        .other_symbol = kind.other};
  p->changing = engine_program_take(p, (size_t)p->model->params, sizeof(int));
  for (int i = 0; i < p->model->params; i++)
    if (p->model->param[i].changes) p->changing[p->p++] = i;
  if (kind.given) engine_given_find(p);
  return p;
}

engine_program* engine_program_make(const mech_system* s, engine_kind kind, base_notes* notes)
{
  engine_program* p = begin(s, kind);
  bool fine = true;
  p->sparse = kind.large && engine_sparse_wanted(p, &fine, notes);
  fine = fine && (p->sparse || fits(p, notes)) && engine_kernels_build(p, notes) &&
         engine_given_build(p, notes);
  if (fine) {
    find_drivers(p);
    p->timed = engine_timed_find(p);
    p->scratch = scratch_needed(p);
    p->coupled = engine_coupling_find(p);
  }
  if (fine && (!kind.divide || engine_divide(p, notes))) return p;
  engine_program_free(p);
  return NULL;
}

void engine_program_free(engine_program* p)
{
  code_kernel* kernels[kernel_count];
  list_kernels(p, kernels);
  for (int i = 0; i < p->parts; i++) engine_program_free((engine_program*)p->part[i].program);
  for (int i = 0; i < kernel_count; i++) code_free(kernels[i]);
  code_free(p->given_values);
  base_arena_free(p->arena);
}

// ---- keeping ------------------------------------------------------------------------------------

static void release(void* program)
{
  engine_program_free(program);
}

// full matrices of more coordinates than this are not made
static bool is_too_many(const mech_system* s, engine_kind kind, base_notes* notes)
{
  if (kind.large || s->n <= kind.most) return false;
  base_error(notes, BASE_NOWHERE,
             "this is done with full matrices, for at most %d coordinates; the model has %d",
             kind.most, s->n);
  return true;
}

const engine_program* engine_program_of(const mech_system* s, engine_kind kind, base_notes* notes)
{
  if (is_too_many(s, kind, notes)) return NULL;
  bool given = false;
  for (int i = 0; i < s->model->params; i++) given = given || s->model->param[i].given;
  kind.given = kind.given && given;
  // without rows of few entries there is nothing that only large systems have
  const bool by[] = {kind.large && s->M_rows.start && !s->hung, kind.divide, kind.given};
  const base_key key = {what, by, sizeof by};
  void* found = NULL;
  base_kept_open(s->kept);
  if (!base_kept_find(s->kept, key, &found)) {
    found = engine_program_make(s, kind, notes);
    if (found) base_kept_add(s->kept, key, found, release);
  }
  base_kept_unlock(s->kept);
  return found;
}

int engine_program_count(const mech_system* s)
{
  return base_kept_count(s->kept, what);
}

void engine_native(engine* e)
{
  code_kernel* kernels[kernel_count];
  list_kernels(e->program, kernels);
  for (int i = 0; i < kernel_count; i++)
    if (kernels[i] && kernels[i] != e->program->momenta && code_outputs(kernels[i]))
      code_native(kernels[i], 1);
  for (int i = 0; i < e->parts; i++) engine_native(e->part[i].e);
}
