// `initial rest` and `initial steady`: the initial equations are replaced by the state they lead
// to.
#include "api/api.h"

#include <math.h>

// what moved by less than this share is rounding
static const double stayed = 1e-9;

static bool has_moved(double from, double to)
{
  return fabs(to - from) > stayed * (1 + fabs(from));
}

static void tell(const model* m, const double* before, const double* now, base_notes* notes)
{
  base_text text = {0};
  int told = 0;
  for (int k = 0; k < 2 * m->coords; k++) {
    // a state is the velocity of a coordinate that has no place
    const bool state = k % m->coords >= m->places;
    if (!has_moved(before[k], now[k]) || (state && k < m->coords)) continue;
    base_text_printf(&text, "%s%s%s from %.6g to %.6g", told++ ? ", " : "",
                     m->coord[k % m->coords].name, k < m->coords || state ? "" : "'", before[k],
                     now[k]);
  }
  base_info(notes, m->settle_place, "it starts %s%s%s",
            m->settle == MODEL_AT_REST ? "from an equilibrium" : "with a steady motion",
            told ? "; guesses were moved: " : "; no guess had to be moved", told ? text.at : "");
  base_text_free(&text);
}

bool api_settle(model* m, mech_system* s, base_notes* notes)
{
  if (!m->settle) return true;
  const int n = m->coords;
  double* before = base_alloc(sizeof(double) * (size_t)(4 * n + 1));
  double* now = before + 2 * n;
  const bool found = study_settle(s, before, now, now + n, notes);
  if (found) {
    tell(m, before, now, notes);
    m->initial = base_arena_take(m->arena, sizeof *m->initial * (size_t)(2 * n + 1));
    m->initials = 2 * n;
    for (int k = 0; k < 2 * n; k++) {
      const model_coord* c = &m->coord[k % n];
      const expr value = expr_double(m->pool, now[k]), x = k < n ? c->q : c->v;
      m->initial[k] = (model_initial){.f = expr_sub(m->pool, x, value),
                                      .guess = true,
                                      .coord = k % n,
                                      .order = k >= n,
                                      .value = value,
                                      .place = m->settle_place};
    }
  }
  free(before);
  return found;
}
