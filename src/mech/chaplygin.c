// Chaplygin's equations: Voronets' where nothing depends on the dependent coordinates.
#include "mech/basis.h"
#include "mech/pick.h"
#include "mech/voronets.h"

// When T and the constraints are free of the dependent coordinates q_h, these move without being
// noticed, D_v = d/dq_v and D_0 = d/dt at held q, and Voronets' equations become (Chaplygin 1897)
//   d/dt dTheta/dq_v' - dTheta/dq_v - sum_h theta_h (sum_w (dg_hv/dq_w - dg_hw/dq_v) q_w' + ...)
//     = G_v + sum_h g_hv G_h
// in the independent coordinates alone. So it is Voronets' form with the dependent coordinates
// taken from those that are absent.

// coordinates of which T and the constraints are free
static bool* absent(const mech_system* s, base_arena* arena)
{
  bool* free = base_arena_take(arena, sizeof(bool) * (size_t)(s->n + 1));
  for (int i = 0; i < s->n; i++) {
    free[i] = !expr_has(s->pool, s->model->T, s->q[i]);
    for (int k = 0; k < s->m && free[i]; k++) free[i] = !expr_has(s->pool, s->f1[k], s->q[i]);
  }
  return free;
}

static int rank_with(const mech_system* s, const mech_choice* choice, const bool* allowed,
                     base_arena* arena)
{
  int* row = base_arena_take(arena, sizeof(int) * (size_t)(s->m + 1));
  mech_pick pick = mech_pick_new(s, arena);
  return mech_pick_constraints(&pick, choice, allowed, arena, row);
}

static const char* unsuited(const mech_system* s, base_arena* arena)
{
  const char* why = mech_basis_obstacle(s, arena);
  if (why) return why;
  const bool* free = absent(s, arena);
  if (rank_with(s, NULL, free, arena) == rank_with(s, NULL, NULL, arena)) return NULL;
  base_text names = {0};
  for (int i = 0; i < s->n; i++)
    if (free[i]) base_text_printf(&names, "%s%s", names.n ? ", " : "", s->model->coord[i].name);
  why = names.n ? base_arena_printf(arena,
                                    "of the coordinates only %s are absent from T and the "
                                    "constraints, too few to be the dependent ones",
                                    names.at)
                : "every coordinate appears in T or in the constraints";
  base_text_free(&names);
  return why;
}

static mech_equations* derive(mech_system* s, const mech_choice* choice, base_notes* notes)
{
  if (mech_form_refuses(&mech_form_chaplygin, s, notes)) return NULL;
  mech_equations* e = mech_equations_new(&mech_form_chaplygin);
  const bool* free = absent(s, e->arena);
  const mech_split* k = mech_split_choose(s, choice, free, e->arena);
  if (choice && choice->rows && k->rank < choice->rank) {
    base_error(notes, BASE_NOWHERE,
               "the absent coordinates do not suffice as dependent ones at this state");
    mech_equations_free(e);
    return NULL;
  }
  mech_voronets_write(e, s, k, notes);
  return mech_equations_finish(e, s, notes);
}

const mech_form mech_form_chaplygin = {
    .name = "chaplygin",
    .aliases = "",
    .title = "Chaplygin's equations",
    .needs = "constraints linear in the velocities, and dependent coordinates absent from T and "
             "the constraints; singular where their velocities are not determined",
    .unsuited = unsuited,
    .derive = derive,
};
