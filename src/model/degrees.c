// Angles that look as if they were meant in degrees: 45 in the place of pi/4. They are taken as
// they are written, and said to be.
#include "model/scope.h"

#include <math.h>
#include <string.h>

// whole numbers from here on are rarely angles in rad, and often in degrees
static const double least_degrees = 10, most_degrees = 720;

bool model_degrees_is_angle(const model_coord* c)
{
  static const char* const names[] = {"theta", "phi", "psi", "alpha", "beta", "gamma", "angle"};
  if (strcmp(c->unit, "rad") == 0) return true;
  for (size_t i = 0; !*c->unit && i < sizeof names / sizeof *names; i++)
    if (strncmp(c->name, names[i], strlen(names[i])) == 0) return true;
  return false;
}

void model_degrees_hint(model_scope* s, const lang_node* n, expr angle)
{
  const lang_node* plain = n->kind == LANG_NEGATE ? n->kid[0] : n;
  // a hint decides nothing: for all values the model is one
  const expr asked = model_scope_exact(s, angle);
  if ((plain->kind != LANG_NUMBER && plain->kind != LANG_NAME) || plain->unit.text ||
      !expr_is_number(s->pool, asked))
    return;
  const double x = expr_number(s->pool, asked);
  if (fabs(x) < least_degrees || fabs(x) > most_degrees || x != round(x)) return;
  base_info(s->notes, n->place, "an angle of %g rad, %.1f turns", x, x / (2 * M_PI));
  base_help(s->notes, "if degrees are meant, write %g [deg]", x);
}
