// Statements: each kind as read, and as printed.
#include "check.h"
#include "read.h"

TEST(declarations_are_read)
{
  CHECK_TEXT(read_text("model \"Title: θ\"\n"
                       "param m = 1 [kg], g = 9.81 [m/s^2] \"text\", a = 0.5\n"
                       "coord x, y [m]\n"
                       "coord u [m], phi [ rad ], s\n"
                       "orientation Q, R\n"
                       "let p = psi'*sin(theta)\n"
                       "quasi v = x'\n"
                       "output E = energy()\n"
                       "integral K = angmomentum()\n"),
             "model \"Title: θ\"\n"
             "param m = 1 [kg], g = 9.81 [m/s^2] \"text\", a = 0.5\n"
             "coord x [m], y [m]\n"
             "coord u [m], phi [rad], s\n"
             "orientation Q, R\n"
             "let p = (psi' * sin(theta))\n"
             "quasi v = x'\n"
             "output E = energy()\n"
             "integral K = angmomentum()\n");
}

TEST(frames_and_bodies_are_read_with_clauses_in_any_order)
{
  const char* printed = "frame A = world\n"
                        "frame B = A at (x, y, 0) rotated z(theta) x(phi)\n"
                        "frame C = A at (x, 0, 0) rotated y(a)\n"
                        "frame D = A rotated by Q\n"
                        "point P = (0, l, 0) in B\n"
                        "particle P1 mass m = (0, l, 0) in B\n"
                        "body B1 mass m inertia (A, B, C) at (0, 0, h) in F\n"
                        "body B2 mass m inertia (A, B, C)\n"
                        "rod R mass (2 * m) from (0, 0, 0) to (l, 0, 0) in F\n"
                        "plate L mass m corners (0, 0, 0) (1, 0, 0) (0, 1, 0) in F\n"
                        "disc D1 mass m radius r normal (0, 0, 1) at (0, 0, 0) in F\n"
                        "ball K mass m radius r at (0, 0, 0) in F\n"
                        "ball K2 mass m radius r\n";
  CHECK_TEXT(read_text("frame A = world\n"
                       "frame B = A at (x, y, 0) rotated z(theta) x(phi)\n"
                       "frame C = A rotated y(a) at (x, 0, 0)\n"
                       "frame D = A rotated by Q\n"
                       "point P = (0, l, 0) in B\n"
                       "particle P1 mass m = (0, l, 0) in B\n"
                       "body B1 inertia (A, B, C) mass m in F at (0, 0, h)\n"
                       "body B2 mass m inertia (A, B, C)\n"
                       "rod R mass 2*m to (l, 0, 0) from (0, 0, 0) in F\n"
                       "plate L mass m corners (0,0,0) (1,0,0) (0,1,0) in F\n"
                       "disc D1 mass m radius r normal (0,0,1) at (0,0,0) in F\n"
                       "ball K mass m radius r at (0,0,0) in F\n"
                       "ball K2 mass m radius r"),
             printed);
  CHECK_TEXT(read_text(printed), printed);
}

TEST(forces_and_energies_are_read)
{
  const char* text = "kinetic ((m / 2) * (x' ^ 2))\n"
                     "potential ((m * g) * z)\n"
                     "gravity (0, 0, (-g))\n"
                     "force x = ((-k) * x')\n"
                     "force (fx, fy, fz) at P in F\n"
                     "force (k * pos(P)) at Q\n"
                     "torque (0, 0, L) in F on B\n";
  CHECK_TEXT(read_text("kinetic m/2*x'^2\npotential m*g*z\ngravity (0,0,-g)\nforce x = -k*x'\n"
                       "force (fx, fy, fz) in F at P\nforce k*pos(P) at Q\n"
                       "torque (0,0,L) on B in F\n"),
             text);
  CHECK_TEXT(read_text(text), text);
}

TEST(constraints_are_read)
{
  const char* text = "constraint blade: vel(A, skate).y = 0\n"
                     "constraint (x - y) = (2 * t)\n"
                     "constraint floor: y >= 0 with restitution 0.5 poisson with friction 0.3\n"
                     "constraint roof: y <= 1 with restitution e\n"
                     "constraint path: (y - x) = 0 by u\n"
                     "resist blade = ((-mu) * abs(reaction(blade))) along u\n"
                     "surface S(u, v) = (u, v, (u * v))\n"
                     "roll B as sphere(R) on table as plane at c\n"
                     "roll B as S on F as sphere((2 * R)) inside at c\n"
                     "slide B as sphere(R) on F as plane at c with friction mu with release\n";
  CHECK_TEXT(read_text("constraint blade: vel(A, skate).y = 0\n"
                       "constraint x - y = 2*t\n"
                       "constraint floor: y >= 0 with friction 0.3 with restitution 0.5 poisson\n"
                       "constraint roof: y <= 1 with restitution e\n"
                       "constraint path: y - x = 0 by u\n"
                       "resist blade = -mu*abs(reaction(blade)) along u\n"
                       "surface S(u, v) = (u, v, u*v)\n"
                       "roll B as sphere(R) on table as plane at c\n"
                       "roll B as S on F as sphere(2*R) inside at c\n"
                       "slide B as sphere(R) on F as plane at c with friction mu with release"),
             text);
  CHECK_TEXT(read_text(text), text);
}

TEST(initial_equations_are_read)
{
  const char* text = "initial x' = 7\n"
                     "initial x ~ 0.3\n"
                     "initial omega(ball) = (0, 0, 3)\n"
                     "initial rotation(ball) = z(0.1) x((pi / 2))\n";
  CHECK_TEXT(read_text("initial x' = 7\ninitial x ~ 0.3\ninitial omega(ball) = (0, 0, 3)\n"
                       "initial rotation(ball) = z(0.1) x(pi/2)\n"),
             text);
  CHECK_TEXT(read_text("initial x' = 7, x ~ 0.3,\n  omega(ball) = (0, 0, 3), "
                       "rotation(ball) = z(0.1) x(pi/2)\n"),
             text);
  CHECK_TEXT(read_text(text), text);
}

TEST(a_duration_behind_a_list_is_that_of_all)
{
  const char* text = "stage glide { set c = 3; set a = 1, b = 2 over 0.3; }\n";
  CHECK_TEXT(read_text("stage glide {\n  set c = 3\n  set a = 1, b = 2 over 0.3\n}\n"), text);
  CHECK_TEXT(read_text(text), text);
}

TEST(stages_and_events_are_read)
{
  const char* text =
      "stage glide { set a = 1 over 0.3, b = (2 * c), theta' = 2; carry momentum; release A, B; "
      "impose C; until (t >= 4) }\n"
      "stage { }\n"
      "event hit: (x - 1) = 0 rising stop\n"
      "event up: x = 1 rising report\n"
      "event down: x = 1 falling report\n"
      "event flip: x = 0 { set x' = (-x'); }\n";
  CHECK_TEXT(read_text("stage glide {\n"
                       "  set a = 1 over 0.3,\n"
                       "      b = 2*c\n"
                       "  set theta' = 2; carry momentum\n"
                       "\n"
                       "  release A; release B\n"
                       "  impose C; until t >= 4\n"
                       "}\n"
                       "stage {}\n"
                       "event hit: x - 1 = 0 rising stop\n"
                       "event up: x >= 1 report\n"
                       "event down: x < 1 report\n"
                       "event flip: x = 0 {\n set x' = -x' }\n"),
             text);
  CHECK_TEXT(read_text(text), text);
  // a direction that is given wins over that of the sign
  CHECK_TEXT(read_text("event odd: x >= 1 falling stop"), "event odd: x = 1 falling stop\n");
}

TEST(wishes_are_read)
{
  const char* text = "run 0 .. (2 * pi)\n"
                     "tolerance 1e-10\n"
                     "method taylor\n"
                     "plot eta : xi \"Path of the blade\"\n"
                     "plot a, b' : t\n"
                     "show ball radius 0.1 at P\n"
                     "show box (a, b, c) in F\n"
                     "show rod from P to Q\n"
                     "trace P\n";
  CHECK_TEXT(read_text("run 0 .. 2*pi\ntolerance 1e-10\nmethod taylor\n"
                       "plot eta : xi \"Path of the blade\"\nplot a, b' : t\n"
                       "show ball radius 0.1 at P\nshow box (a,b,c) in F\nshow rod from P to Q\n"
                       "trace P\n"),
             text);
  CHECK_TEXT(read_text(text), text);
}

TEST(words_of_the_language_can_be_names)
{
  CHECK_TEXT(read_text("param mass = 1, radius = 2, in = 3, run = mass + in\n"
                       "coord step, at, force\n"
                       "force force = -step\n"
                       "rod from mass mass from (at, 0, 0) to (radius, 0, 0) in in\n"
                       "ball to mass mass radius radius at (0, 0, 0) in at\n"),
             "param mass = 1, radius = 2, in = 3, run = (mass + in)\n"
             "coord step, at, force\n"
             "force force = (-step)\n"
             "rod from mass mass from (at, 0, 0) to (radius, 0, 0) in in\n"
             "ball to mass mass radius radius at (0, 0, 0) in at\n");
}

TEST(lines_go_on_in_brackets_and_after_operators)
{
  CHECK_TEXT(
      read_text("let a = 1 +\n\n  2 * # why\n  3\nlet b = (1\n  + 2\n)\nparam c = 1,\n  d =\n "
                "2\nlet e = f(\n  x, # first\n  y\n)\nplot\ta :\n b"),
      "let a = (1 + (2 * 3))\nlet b = (1 + 2)\nparam c = 1, d = 2\nlet e = f(x, y)\n"
      "plot a : b\n");
}

TEST(line_ends_marks_and_comments_do_not_matter)
{
  CHECK_TEXT(read_text("\xEF\xBB\xBFlet a = 1\r\n\r\n# note\r\nlet b = (2,\r\n 3, 4)\r\n"),
             "let a = 1\nlet b = (2, 3, 4)\n");
  CHECK_TEXT(read_text("let a = 1 # a comment at the very end"), "let a = 1\n");
  CHECK_TEXT(read_text(""), "");
  CHECK_TEXT(read_text("\n\n  # nothing\n\t"), "");
}

TEST(a_statement_knows_its_place)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  const char* text = "coord x\n  let a = 1 +\n 2 # c\nstage s { set b = 3 }\n";
  lang_tree* t = lang_parse("a", text, strlen(text), NULL, NULL, arena, notes);
  CHECK_INT(t->count, 3);
  CHECK_TEXT(base_notes_quote(notes, t->at[1]->place, arena), "let a = 1 +\n 2");
  CHECK_TEXT(base_notes_quote(notes, t->at[2]->place, arena), "stage s { set b = 3 }");
  CHECK_TEXT(base_notes_quote(notes, t->at[2]->block.set[0].target->place, arena), "b");
  base_notes_free(notes);
  base_arena_free(arena);
}
