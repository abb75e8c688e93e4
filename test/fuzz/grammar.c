// Models by the grammar of the language: something that moves, then statements of every kind.
#include "grammar.h"

#include <string.h>

enum { DEPTH = 3 }; // of values

// ---- what moves ---------------------------------------------------------------------------------

static void put_params(fuzz_grammar* g)
{
  const int n = 1 + fuzz_pick(g->c, 3);
  for (int i = 0; i < n; i++) {
    fuzz_put(g, "%sp%d = ", i ? ", " : "param ", i);
    if (g->wild && fuzz_rarely(g->c, 8))
      fuzz_put_value(g, 2, FUZZ_CONSTANT);
    else
      fuzz_put_number(g);
    fuzz_put_unit(g);
    g->params++;
  }
  fuzz_put(g, "\n");
}

static void put_coords(fuzz_grammar* g, int n)
{
  for (int i = 0; i < n; i++) {
    fuzz_put(g, "%sx%d", i ? ", " : "coord ", g->coords++);
    fuzz_put_unit(g);
  }
  fuzz_put(g, "\n");
}

// energies of coordinates
static void put_energies(fuzz_grammar* g)
{
  put_coords(g, 1 + fuzz_pick(g->c, 3));
  for (int i = 0; i < g->coords; i++) fuzz_put(g, "%sx%d'^2/2", i ? " + " : "kinetic ", i);
  if (g->coords > 1 && fuzz_rarely(g->c, 3)) fuzz_put(g, " + x0'*x1'*cos(x0 - x1)/3");
  fuzz_put(g, "\n");
  if (!fuzz_rarely(g->c, 3)) return;
  fuzz_put(g, "potential ");
  fuzz_put_value(g, DEPTH, FUZZ_PLACE);
  fuzz_put(g, "\n");
}

// masses by Cartesian coordinates
static void put_particles(fuzz_grammar* g)
{
  static const char* const places[] = {"(x%d, 0, 0)", "(x%d, x%d, 0)", "(x%d, x%d, x%d)"};
  const int n = 1 + fuzz_pick(g->c, 2);
  for (int i = 0; i < n; i++) {
    const int first = g->coords, parts = 1 + fuzz_pick(g->c, 3);
    put_coords(g, parts);
    fuzz_put(g, "particle B%d mass %d = ", g->bodies++, 1 + i);
    switch (parts) {
    case 1:
      fuzz_put(g, places[0], first);
      break;
    case 2:
      fuzz_put(g, places[1], first, first + 1);
      break;
    default:
      fuzz_put(g, places[2], first, first + 1, first + 2);
    }
    fuzz_put(g, " in world\n");
  }
  if (fuzz_rarely(g->c, 2)) fuzz_put(g, "gravity (0, -9.81, 0)\n");
}

static void put_mass(fuzz_grammar* g, const char* in)
{
  const int b = g->bodies++;
  switch (fuzz_pick(g->c, 6)) {
  case 0:
    fuzz_put(g, "particle B%d mass 1 = (0, -1, 0)", b);
    break;
  case 1:
    fuzz_put(g, "rod B%d mass 1 from (0, 0, 0) to (1, 0, 0)", b);
    break;
  case 2:
    fuzz_put(g, "body B%d mass 2 inertia (1, 2, 2.5) at (0.5, 0, 0)", b);
    break;
  case 3:
    fuzz_put(g, "plate B%d mass 1 corners (0, 0, 0) (1, 0, 0) (0, 1, 0)", b);
    break;
  case 4:
    fuzz_put(g, "disc B%d mass 1 radius 0.5 normal (0, 0, 1) at (1, 0, 0)", b);
    break;
  default:
    fuzz_put(g, "ball B%d mass 1 radius 0.5 at (0, 0, 1)", b);
  }
  fuzz_put(g, " in %s\n", in);
}

// joints one behind the other
static void put_tree(fuzz_grammar* g)
{
  const int n = 1 + fuzz_pick(g->c, 3);
  char in[16] = "world";
  for (int i = 0; i < n; i++) {
    put_coords(g, 1);
    fuzz_put(g, "frame F%d = %s", i, in);
    if (fuzz_rarely(g->c, 2)) {
      fuzz_put(g, " at ");
      fuzz_put_vector(g, 1, FUZZ_PLACE);
    }
    fuzz_put(g, " rotated %c(x%d)", 'z' - fuzz_pick(g->c, 3), i);
    if (fuzz_rarely(g->c, 4)) fuzz_put(g, " x(t)");
    fuzz_put(g, "\n");
    g->frames++;
    strcpy(in, "F0");
    in[1] = (char)('0' + i);
    put_mass(g, in);
  }
  fuzz_put(g, "gravity (0, -9.81, 0)\n");
}

static void put_surface(fuzz_grammar* g)
{
  static const char* const own[] = {"plane",     "sphere(1)",         "cylinder(0.5)", "sphere(p0)",
                                    "cone(1)",   "ellipsoid(1,1,2)",  "torus(2, 0.5)", "circle(1)",
                                    "circle(0)", "paraboloid(1, 0.5)"};
  if (g->surfaces && fuzz_rarely(g->c, 3))
    fuzz_put_name(g, "S", g->surfaces);
  else
    fuzz_put(g, "%s", FUZZ_WORD(g->c, own));
}

// a free body that touches something
static void put_contact(fuzz_grammar* g)
{
  static const char* const with[] = {"friction 0.3",
                                     "viscous friction 0.1",
                                     "rolling friction 0.01",
                                     "viscous rolling friction 0.1",
                                     "pivoting friction 0.01",
                                     "viscous pivoting friction 0.1",
                                     "restitution 0.5",
                                     "release",
                                     "hold"};
  fuzz_put(g, "%s B%d as ", fuzz_pick(g->c, 2) ? "slide" : "roll",
           fuzz_pick(g->c, g->bodies ? g->bodies : 1));
  put_surface(g);
  fuzz_put(g, " on ");
  fuzz_put_frame(g);
  fuzz_put(g, " as ");
  put_surface(g);
  if (fuzz_rarely(g->c, 5)) fuzz_put(g, " inside");
  fuzz_put(g, " at c%d", g->contacts++);
  for (int n = fuzz_pick(g->c, 3); n > 0; n--) fuzz_put(g, " with %s", FUZZ_WORD(g->c, with));
  fuzz_put(g, "\n");
}

static void put_free(fuzz_grammar* g)
{
  put_coords(g, 1);
  fuzz_put(g, "kinetic x0'^2\n");
  switch (fuzz_pick(g->c, 3)) {
  case 0:
    fuzz_put(g, "ball B0 mass 1 radius 1\n");
    break;
  case 1:
    fuzz_put(g, "body B0 mass 1 inertia (1, 2, 3)\n");
    break;
  default:
    fuzz_put(g, "disc B0 mass 1 radius 1\n");
  }
  g->bodies = 1;
  fuzz_put(g, "gravity (0, 0, -9.81)\n");
  if (fuzz_rarely(g->c, 4)) return;
  put_contact(g);
}

static void put_turned(fuzz_grammar* g)
{
  put_coords(g, 1);
  fuzz_put(g, "kinetic x0'^2\norientation Q0\nframe F0 = world rotated by Q0\n"
              "body B0 mass 1 inertia (1, 2, 3) in F0\n");
  g->turns = g->frames = g->bodies = 1;
}

// ---- statements ---------------------------------------------------------------------------------

static void put_param(fuzz_grammar* g)
{
  fuzz_put(g, "param p%d = ", g->params);
  fuzz_put_value(g, 2, FUZZ_CONSTANT);
  fuzz_put_unit(g);
  if (fuzz_rarely(g->c, 4)) fuzz_put(g, " \"a note\"");
  g->params++;
}

static void put_coord(fuzz_grammar* g)
{
  fuzz_put(g, "coord x%d\nkinetic x%d'^2", g->coords, g->coords);
  g->coords++;
}

static void put_let(fuzz_grammar* g)
{
  fuzz_put(g, "let l%d = ", g->lets);
  fuzz_put_value(g, DEPTH, FUZZ_STATE);
  g->lets++;
}

static void put_frame(fuzz_grammar* g)
{
  fuzz_put(g, "frame F%d = ", g->frames);
  fuzz_put_frame(g);
  if (fuzz_rarely(g->c, 2)) {
    fuzz_put(g, " at ");
    fuzz_put_vector(g, 2, FUZZ_PLACE);
  }
  if (g->turns && fuzz_rarely(g->c, 3)) {
    fuzz_put(g, " rotated by ");
    fuzz_put_name(g, "Q", g->turns);
  } else if (fuzz_rarely(g->c, 2)) {
    fuzz_put(g, " rotated");
    for (int n = 1 + fuzz_pick(g->c, 3); n > 0; n--) {
      fuzz_put(g, " %c(", 'x' + fuzz_pick(g->c, 3));
      fuzz_put_value(g, 2, FUZZ_PLACE);
      fuzz_put(g, ")");
    }
  }
  g->frames++;
}

static void put_point(fuzz_grammar* g)
{
  fuzz_put(g, "point P%d = ", g->points);
  fuzz_put_vector(g, 2, FUZZ_PLACE);
  fuzz_put(g, " in ");
  fuzz_put_frame(g);
  g->points++;
}

static void put_body(fuzz_grammar* g)
{
  static const char* const frames[] = {"world", "F0", "F1", "B0"};
  put_mass(g, FUZZ_WORD(g->c, frames));
}

static void put_energy(fuzz_grammar* g)
{
  const bool kinetic = fuzz_rarely(g->c, 3);
  fuzz_put(g, kinetic ? "kinetic " : "potential ");
  fuzz_put_value(g, DEPTH, kinetic ? FUZZ_STATE : FUZZ_PLACE);
}

static void put_force(fuzz_grammar* g)
{
  switch (fuzz_pick(g->c, 4)) {
  case 0:
  case 1:
    fuzz_put(g, "force ");
    fuzz_put_name(g, "x", g->coords);
    fuzz_put(g, " = ");
    fuzz_put_value(g, DEPTH, fuzz_rarely(g->c, 5) ? FUZZ_ALL : FUZZ_STATE);
    return;
  case 2:
    fuzz_put(g, "force ");
    fuzz_put_vector(g, 2, FUZZ_STATE);
    fuzz_put(g, " in ");
    fuzz_put_frame(g);
    fuzz_put(g, " at ");
    fuzz_put_point(g);
    return;
  default:
    fuzz_put(g, "torque ");
    fuzz_put_vector(g, 2, FUZZ_STATE);
    fuzz_put(g, " in ");
    fuzz_put_frame(g);
    fuzz_put(g, " on ");
    fuzz_put_body(g);
  }
}

static void put_with(fuzz_grammar* g)
{
  static const char* const laws[] = {"", " newton", " poisson", " moreau", " sequential"};
  switch (fuzz_pick(g->c, 6)) {
  case 0:
    fuzz_put(g, " with restitution 0.5%s", FUZZ_WORD(g->c, laws));
    return;
  case 1:
    fuzz_put(g, " with friction 0.3");
    return;
  case 2:
    fuzz_put(g, " with friction ");
    fuzz_put_value(g, 1, FUZZ_PLACE);
    fuzz_put(g, " along ");
    fuzz_put_speed(g);
    return;
  case 3:
    fuzz_put(g, " by ");
    fuzz_put_speed(g);
    return;
  case 4:
    fuzz_put(g, " while ");
    fuzz_put_name(g, "C", g->constraints ? g->constraints : 1);
    return;
  }
}

static void put_constraint(fuzz_grammar* g)
{
  static const char* const relations[] = {" = ", " >= ", " <= "};
  const int level = fuzz_pick(g->c, 8);
  const fuzz_kind kind = level < 4 ? FUZZ_PLACE : level < 7 ? FUZZ_STATE : FUZZ_ALL;
  fuzz_put(g, "constraint C%d: ", g->constraints);
  if (fuzz_rarely(g->c, 5)) {
    fuzz_put_vector(g, 2, kind);
    fuzz_put(g, " = ");
    fuzz_put_vector(g, 2, kind);
  } else {
    fuzz_put_value(g, DEPTH, kind);
    fuzz_put(g, "%s", FUZZ_WORD(g->c, relations));
    fuzz_put_value(g, 1, kind);
  }
  if (fuzz_rarely(g->c, 3)) put_with(g);
  g->constraints++;
}

static void put_resist(fuzz_grammar* g)
{
  fuzz_put(g, "resist ");
  fuzz_put_name(g, "C", g->constraints ? g->constraints : 1);
  fuzz_put(g, " = ");
  if (fuzz_rarely(g->c, 2))
    fuzz_put(g, "-p0*abs(reaction(C0))*sign(x0')");
  else
    fuzz_put_value(g, DEPTH, FUZZ_ALL);
  fuzz_put(g, " along ");
  fuzz_put_speed(g);
}

static void put_quasi(fuzz_grammar* g)
{
  fuzz_put(g, "quasi u%d = ", g->quasis);
  if (fuzz_rarely(g->c, 3))
    fuzz_put_value(g, 2, FUZZ_STATE);
  else
    fuzz_put(g, "x0'*cos(x0) + %d*x%d'", fuzz_pick(g->c, 3), fuzz_pick(g->c, g->coords));
  g->quasis++;
}

static void put_own_surface(fuzz_grammar* g)
{
  fuzz_put(g, "surface S%d(u, v) = (u, v, ", g->surfaces++);
  fuzz_put(g, "u^2 + v^2/3 + ");
  fuzz_put_value(g, 1, FUZZ_CONSTANT);
  fuzz_put(g, "*u*v)");
}

static void put_initial(fuzz_grammar* g)
{
  switch (fuzz_pick(g->c, 6)) {
  case 4:
    fuzz_put(g, "initial ");
    fuzz_put_vector(g, 2, FUZZ_STATE);
    fuzz_put(g, " = ");
    fuzz_put_vector(g, 0, FUZZ_CONSTANT);
    return;
  case 5:
    fuzz_put(g, "initial rotation(");
    fuzz_put_body(g);
    fuzz_put(g, ") = z(");
    fuzz_put_value(g, 1, FUZZ_CONSTANT);
    fuzz_put(g, ") x(1)");
    return;
  }
  fuzz_put(g, "initial ");
  if (fuzz_rarely(g->c, 4))
    fuzz_put_value(g, 2, FUZZ_STATE);
  else
    fuzz_put(g, "x%d%s", fuzz_pick(g->c, g->coords), fuzz_pick(g->c, 2) ? "'" : "");
  fuzz_put(g, fuzz_rarely(g->c, 4) ? " ~ " : " = ");
  fuzz_put_value(g, 1, FUZZ_CONSTANT);
}

static void put_set(fuzz_grammar* g)
{
  if (fuzz_rarely(g->c, 2))
    fuzz_put(g, "set x%d%s = ", fuzz_pick(g->c, g->coords), fuzz_pick(g->c, 2) ? "" : "'");
  else
    fuzz_put(g, "set p%d = ", fuzz_pick(g->c, g->params));
  fuzz_put_value(g, 2, FUZZ_STATE);
  if (fuzz_rarely(g->c, 3)) fuzz_put(g, " over 0.1");
}

static void put_items(fuzz_grammar* g)
{
  static const char* const items[] = {"carry limit", "carry velocity", "carry momentum"};
  for (int n = fuzz_pick(g->c, 3); n > 0; n--) {
    switch (fuzz_pick(g->c, 4)) {
    case 0:
    case 1:
      put_set(g);
      break;
    case 2:
      fuzz_put(g, fuzz_rarely(g->c, 2) ? "impose " : "release ");
      fuzz_put_name(g, "C", g->constraints ? g->constraints : 1);
      break;
    default:
      fuzz_put(g, "%s", FUZZ_WORD(g->c, items));
    }
    fuzz_put(g, "; ");
  }
}

static void put_stage(fuzz_grammar* g)
{
  fuzz_put(g, "stage { ");
  put_items(g);
  fuzz_put(g, "until ");
  if (fuzz_rarely(g->c, 2)) {
    fuzz_put_value(g, 2, FUZZ_STATE);
    fuzz_put(g, " >= 1 }");
  } else {
    fuzz_put(g, "t >= 0.%d }", fuzz_pick(g->c, 10));
  }
}

static void put_event(fuzz_grammar* g)
{
  static const char* const ways[] = {"", " rising", " falling"};
  fuzz_put(g, "event E%d: ", g->events++);
  fuzz_put_value(g, 2, FUZZ_STATE);
  fuzz_put(g, fuzz_rarely(g->c, 4) ? " >= " : " = ");
  fuzz_put_value(g, 0, FUZZ_CONSTANT);
  fuzz_put(g, "%s", FUZZ_WORD(g->c, ways));
  switch (fuzz_pick(g->c, 3)) {
  case 0:
    fuzz_put(g, " report");
    return;
  case 1:
    fuzz_put(g, " stop");
    return;
  default:
    fuzz_put(g, " { ");
    put_items(g);
    fuzz_put(g, "}");
  }
}

static void put_output(fuzz_grammar* g)
{
  fuzz_put(g, "%s o%d = ", fuzz_rarely(g->c, 4) ? "integral" : "output", g->outputs++);
  if (fuzz_rarely(g->c, 3))
    fuzz_put_vector(g, DEPTH, FUZZ_ALL);
  else
    fuzz_put_value(g, DEPTH, FUZZ_ALL);
}

static void put_way(fuzz_grammar* g)
{
  static const char* const ways[] = {
      "run 0 .. 0.3",  "run 0 .. 1",     "run 1 .. 2",    "method dop853", "method taylor",
      "method adams",  "method bdf",     "method ida",    "method moreau", "method gauss16",
      "method radau5", "tolerance 1e-6", "run 0 .. 1e-9", "run 5 .. 1",    "tolerance 1e-20"};
  fuzz_put(g, "%s", FUZZ_WORD(g->c, ways));
}

static void put_picture(fuzz_grammar* g)
{
  switch (fuzz_pick(g->c, 4)) {
  case 0:
    fuzz_put(g, "plot ");
    fuzz_put_value(g, 1, FUZZ_ALL);
    fuzz_put(g, " : t \"title\"");
    return;
  case 1:
    fuzz_put(g, "show ball radius 0.1 at ");
    fuzz_put_point(g);
    return;
  case 2:
    fuzz_put(g, "show rod from ");
    fuzz_put_point(g);
    fuzz_put(g, " to ");
    fuzz_put_point(g);
    return;
  default:
    fuzz_put(g, "trace ");
    fuzz_put_point(g);
  }
}

static void put_statement(fuzz_grammar* g);

static void put_for(fuzz_grammar* g)
{
  static const char* const texts[] = {
      "coord y[i]; kinetic y[i]'^2; potential y[i]^2/2",
      "coord y[i], z[i]; particle M[i] mass i = (y[i], z[i], 0) in world",
      "initial y[i] = 1/i",
      "constraint K[i]: y[i] >= -i",
      "for j in 1..i { output w[i, j] = i*t + j }",
      "let h[i] = sum(j in 1..i: x0^j)",
      "coord y[i]; kinetic y[i]'^2; potential (y[i] - y[i-1])^2",
  };
  if (g->inside > 2) return;
  fuzz_put(g, "for i%s in 1..%d { ", g->inside ? "i" : "", fuzz_pick(g->c, 5));
  g->inside++;
  if (g->wild && fuzz_rarely(g->c, 2))
    put_statement(g);
  else
    fuzz_put(g, "%s", FUZZ_WORD(g->c, texts));
  g->inside--;
  fuzz_put(g, " }");
}

static void put_statement(fuzz_grammar* g)
{
  // what is written more often is here more often
  static void (*const statements[])(fuzz_grammar*) = {
      put_initial, put_force,  put_constraint,  put_constraint, put_energy,  put_initial,
      put_let,     put_output, put_force,       put_event,      put_stage,   put_quasi,
      put_point,   put_frame,  put_body,        put_param,      put_coord,   put_resist,
      put_contact, put_for,    put_own_surface, put_way,        put_picture, put_initial};
  if (g->later && fuzz_rarely(g->c, 2)) {
    fuzz_put_later(g);
    return;
  }
  if (g->parts && fuzz_put_part(g)) return;
  statements[fuzz_pick(g->c, (int)(sizeof statements / sizeof *statements))](g);
}

static void put_model(fuzz_grammar* g)
{
  static void (*const moving[])(fuzz_grammar*) = {put_energies, put_particles, put_tree, put_free,
                                                  put_turned};
  put_params(g);
  if (g->parts && fuzz_rarely(g->c, 3)) put_coords(g, 1);
  if (g->parts)
    fuzz_put_parts(g);
  else
    moving[fuzz_pick(g->c, (int)(sizeof moving / sizeof *moving))](g);
  for (int n = fuzz_pick(g->c, 8); n > 0; n--) {
    put_statement(g);
    fuzz_put(g, "\n");
  }
}

// ---- doors --------------------------------------------------------------------------------------

void fuzz_model(fuzz_choices* c, base_text* out)
{
  const int way = c->n ? c->at[c->next++] : 0;
  base_text_add(out, "");
  if (way == FUZZ_LITERAL) {
    base_text_addn(out, (const char*)c->at + c->next, c->n - c->next);
    c->next = c->n;
    return;
  }
  fuzz_grammar g = {.c = c,
                    .out = out,
                    .wild = way % 4 == 3,
                    .parts = way >= 128,
                    .later = way % 16 == 5 || way % 16 == 11};
  put_model(&g);
  if (way % 8 == 6) fuzz_spoil(c, out);
}

void fuzz_value(fuzz_choices* c, base_text* out)
{
  fuzz_grammar g = {.c = c, .out = out, .wild = true, .params = 2, .coords = 3};
  const int way = fuzz_pick(c, 8);
  base_text_add(out, "");
  if (way == 7) {
    base_text_addn(out, (const char*)c->at + c->next, c->n - c->next);
    c->next = c->n;
  } else if (way == 6) {
    fuzz_put_vector(&g, 6, FUZZ_ALL);
  } else {
    fuzz_put_value(&g, 6, FUZZ_ALL);
  }
  if (way % 4 == 3) fuzz_spoil(c, out);
}

void fuzz_equations(fuzz_choices* c, base_text* out)
{
  fuzz_grammar g = {.c = c, .out = out, .wild = fuzz_rarely(c, 4), .params = 1, .coords = 2};
  base_text_add(out, "");
  for (int n = fuzz_pick(c, 4); n > 0; n--) {
    fuzz_put_value(&g, fuzz_rarely(c, 4) ? 2 : 0, FUZZ_STATE);
    fuzz_put(&g, fuzz_rarely(c, 4) ? " ~ " : " = ");
    fuzz_put_value(&g, fuzz_rarely(c, 4) ? 2 : 0, FUZZ_CONSTANT);
    if (n > 1) fuzz_put(&g, ", ");
  }
  if (fuzz_rarely(c, 8)) fuzz_spoil(c, out);
}
