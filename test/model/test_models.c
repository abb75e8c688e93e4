// The models that come with zwang.

#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "given.h"
#include "lang/lang.h"

static given given_model(const char* name)
{
  const char* root = getenv("ZWANG_SOURCE");
  char path[4096];
  snprintf(path, sizeof path, "%s/models/%s.zw", root ? root : ".", name);
  given g = {base_arena_new(), base_notes_new(), NULL};
  lang_limits limits = lang_limits_default();
  lang_tree* tree = lang_parse_file(path, &limits, g.arena, g.notes);
  if (tree) g.m = model_build(tree, 0, NULL, g.notes);
  return g;
}

TEST(the_models_of_the_specification_build)
{
  static const struct
  {
    const char* name;
    int coords, params, constraints, quasis, initials, stages, plots;
  } table[] = {{"skater_benchmark", 3, 4, 1, 2, 1, 0, 1},
               {"skater_stages", 3, 16, 1, 0, 1, 3, 2},
               {"appell_hamel", 3, 3, 1, 0, 2, 0, 1},
               {"cam_flywheel", 2, 5, 0, 0, 2, 0, 0},
               {"precession", 3, 4, 1, 2, 4, 0, 0}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    given g = given_model(table[i].name);
    if (!CHECK_TEXT(given_errors(&g), "")) printf("#     in: %s\n", table[i].name);
    if (g.m) {
      CHECK_INT(g.m->coords, table[i].coords);
      CHECK_INT(g.m->params, table[i].params);
      CHECK_INT(g.m->constraints, table[i].constraints);
      CHECK_INT(g.m->quasis, table[i].quasis);
      CHECK_INT(g.m->initials, table[i].initials);
      CHECK_INT(g.m->stages, table[i].stages);
      CHECK_INT(g.m->plots, table[i].plots);
    }
    given_free(&g);
  }
}

TEST(the_energy_of_the_skater_with_point_masses)
{
  given g = given_model("skater_benchmark");
  expr_pool* p = g.m->pool;
  // the blade is across the middle: T = m (xi'^2 + eta'^2 + l^2 theta'^2)
  expr m = expr_symbol(p, "m"), l = expr_symbol(p, "l"), two = expr_int(p, 2);
  expr square[3] = {expr_pow(p, g.m->coord[0].v, two), expr_pow(p, g.m->coord[2].v, two),
                    expr_mul(p, expr_pow(p, l, two), expr_pow(p, g.m->coord[1].v, two))};
  CHECK(given_same(&g, g.m->T, expr_mul(p, m, expr_sum(p, 3, square))));
  CHECK(g.m->V == expr_int(p, 0));
  CHECK_TEXT(given_print(&g, g.m->Q[1]), "L5");
  CHECK_INT(g.m->constraint[0].order, 1);
  CHECK(g.m->constraint[0].linear);
  given_free(&g);
}
