// Expressions: precedence, chains, places, and how deep they may be.
#include "check.h"
#include "read.h"

#include <string.h>

#include <stdlib.h>

TEST(operators_bind_as_in_a_textbook)
{
  CHECK_TEXT(read_expression("a + b*c"), "(a + (b * c))");
  CHECK_TEXT(read_expression("a - b - c"), "((a - b) - c)");
  CHECK_TEXT(read_expression("a/b/c*d"), "(((a / b) / c) * d)");
  CHECK_TEXT(read_expression("-x^2"), "(-(x ^ 2))");
  CHECK_TEXT(read_expression("(-x)^2"), "((-x) ^ 2)");
  CHECK_TEXT(read_expression("x^-2"), "(x ^ (-2))");
  CHECK_TEXT(read_expression("2^3^2"), "(2 ^ (3 ^ 2))");
  CHECK_TEXT(read_expression("2^-3^-2"), "(2 ^ (-(3 ^ (-2))))");
  CHECK_TEXT(read_expression("-a*b"), "((-a) * b)");
  CHECK_TEXT(read_expression("a*-b"), "(a * (-b))");
  CHECK_TEXT(read_expression("a - -b"), "(a - (-b))");
  CHECK_TEXT(read_expression("+a"), "a");
  CHECK_TEXT(read_expression("- - a"), "a");
  CHECK_TEXT(read_expression("---a"), "(-a)");
  CHECK_TEXT(read_expression("a + 1 >= b*2"), "((a + 1) >= (b * 2))");
  CHECK_TEXT(read_expression("if(x < 0, -x, x)"), "if((x < 0), (-x), x)");
}

TEST(primes_and_fields_bind_tightest)
{
  CHECK_TEXT(read_expression("x'^2"), "(x' ^ 2)");
  CHECK_TEXT(read_expression("x''*y'"), "(x'' * y')");
  CHECK_TEXT(read_expression("(a*b)'"), "(a * b)'");
  CHECK_TEXT(read_expression("vel(A, skater).y"), "vel(A, skater).y");
  CHECK_TEXT(read_expression("vel(A).y'"), "vel(A).y'");
  CHECK_TEXT(read_expression("reaction.c.x"), "reaction.c.x");
  CHECK_TEXT(read_expression("(1, 2, 3).z"), "(1, 2, 3).z");
  CHECK_TEXT(read_expression("energy()"), "energy()");
  CHECK_TEXT(read_expression("-Q.w^2"), "(-(Q.w ^ 2))");
}

TEST(numbers_keep_their_text)
{
  CHECK_TEXT(read_expression("12"), "12");
  CHECK_TEXT(read_expression(".5"), ".5");
  CHECK_TEXT(read_expression("0.6 + 1."), "(0.6 + 1.)");
  CHECK_TEXT(read_expression("1e-3*2E+10*7e5"), "((1e-3 * 2E+10) * 7e5)");
  CHECK_TEXT(read_text("run 0..15"), "run 0 .. 15\n");
  CHECK_TEXT(read_text("run 0.5.. .75"), "run 0.5 .. .75\n");
  // three dots may be meant either way
  CHECK(strstr(read_text("run 0.5...75"), "two dots"));
  CHECK_TEXT(read_text("run 1.5..2"), "run 1.5 .. 2\n");
}

TEST(signs_of_mathematics_are_read)
{
  CHECK_TEXT(read_expression("a·b"), "(a * b)");
  CHECK_TEXT(read_expression("a×b⋅c"), "((a * b) * c)");
  CHECK_TEXT(read_expression("a − b"), "(a - b)");
  CHECK_TEXT(read_expression("−x²"), "(-(x ^ 2))");
  CHECK_TEXT(read_expression("x'³ + 1"), "((x' ^ 3) + 1)");
  CHECK_TEXT(read_expression("x′ ≤ y″"), "(x' <= y'')");
}

TEST(names_of_any_alphabet_are_read_and_composed)
{
  CHECK_TEXT(read_expression("θ' + 質量*_a1"), "(θ' + (質量 * _a1))");
  CHECK_TEXT(read_expression("e\xCC\x81"), "\xC3\xA9");
}

TEST(what_is_no_expression_is_refused)
{
  CHECK_TEXT(read_expression(""), "e:1:1: error: expected a value before the end of the text\n"
                                  "    1 | \n"
                                  "      | ^\n");
  CHECK_TEXT(read_expression("1 +"), "e:1:4: error: expected a value before the end of the text\n"
                                     "    1 | 1 +\n"
                                     "      |    ^\n");
  CHECK_TEXT(read_expression("a b"), "e:1:3: error: expected the end of the expression, found `b`\n"
                                     "    1 | a b\n"
                                     "      |   ^\n");
  CHECK_TEXT(read_expression("a < b < c"),
             "e:1:7: error: comparisons cannot be chained\n"
             "    1 | a < b < c\n"
             "      |       ^\n"
             "help: compare two values at a time, and join them by `and`\n");
  CHECK_TEXT(read_expression("3'"), "e:1:2: error: a number has no derivative\n"
                                    "    1 | 3'\n"
                                    "      |  ^\n");
  CHECK_TEXT(read_expression("()"), "e:1:2: error: expected a value, found `)`\n"
                                    "    1 | ()\n"
                                    "      |  ^\n");
  CHECK_TEXT(read_expression("f(a,)"), "e:1:5: error: expected a value, found `)`\n"
                                       "    1 | f(a,)\n"
                                       "      |     ^\n");
  CHECK_TEXT(read_expression("a."),
             "e:1:3: error: expected the name of a part after the dot before "
             "the end of the text\n"
             "    1 | a.\n"
             "      |   ^\n");
  CHECK_TEXT(read_expression("2*x == 3"), "e:1:5: error: `==` has no meaning here\n"
                                          "    1 | 2*x == 3\n"
                                          "      |     ^~\n"
                                          "help: an equation is written with a single =\n");
  CHECK_TEXT(read_expression("x''''''''''"), "e:1:11: error: more than 9 primes\n"
                                             "    1 | x''''''''''\n"
                                             "      |           ^\n");
}

// ---- depth --------------------------------------------------------------------------------------

static int height(const lang_node* n)
{
  int most = 0;
  for (int i = 0; i < n->n; i++) {
    int h = height(n->kid[i]);
    if (h > most) most = h;
  }
  return most + 1;
}

static int count(const lang_node* n, lang_kind kind)
{
  int total = n->kind == kind;
  for (int i = 0; i < n->n; i++) total += count(n->kid[i], kind);
  return total;
}

// the value when every name and number stands for its first digit or letter
static double value(const lang_node* n)
{
  if (n->kind == LANG_NUMBER) return strtod(n->text, NULL);
  if (n->kind == LANG_NEGATE) return -value(n->kid[0]);
  double a = value(n->kid[0]), b = value(n->kid[1]);
  switch (n->op) {
  case LANG_ADD:
    return a + b;
  case LANG_SUB:
    return a - b;
  case LANG_MUL:
    return a * b;
  default:
    return a / b;
  }
}

// first, then n times the piece
static char* repeat(const char* first, const char* piece, int n)
{
  base_text t = {0};
  base_text_add(&t, first);
  for (int i = 0; i < n; i++) base_text_add(&t, piece);
  return base_text_take(&t);
}

static void check_chain(const char* first, const char* piece, int n, double want, int most)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  char* text = repeat(first, piece, n);
  lang_node* node = lang_parse_expression("e", text, arena, notes);
  CHECK(node != NULL);
  if (node) {
    CHECK(height(node) <= most);
    CHECK_NEAR(value(node), want, 1e-9 * fabs(want));
  }
  free(text);
  base_notes_free(notes);
  base_arena_free(arena);
}

TEST(long_chains_become_flat_trees_of_the_same_value)
{
  check_chain("1", "+1", 100000, 100001, 30);
  check_chain("1", "-1+2-3", 30000, 1 - 60000, 30);
  check_chain("7", "-1", 100000, 7 - 100000, 30);
  check_chain("3", "*2/2", 500, 3, 30);
  check_chain("3", "/2*2*-1", 300, 3, 30);
  check_chain("1000", "-1", 9, 991, 10);
  check_chain("1024", "/2", 10, 1, 10);
}

TEST(a_divisor_never_takes_in_what_stood_above_the_line)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_node* n = lang_parse_expression("e", "a/b*c/d*e/f*g/h*(1,2,3)/k", arena, notes);
  CHECK(n && n->op == LANG_DIV);
  if (n) CHECK_INT(count(n->kid[0], LANG_TUPLE), 1);
  if (n) CHECK_INT(count(n->kid[1], LANG_TUPLE), 0);
  base_notes_free(notes);
  base_arena_free(arena);
}

static const char* reason(const char* before, char sign, int n)
{
  static char keep[200];
  char piece[2] = {sign, 0};
  char* text = repeat(before, piece, n);
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_parse("a.zw", text, strlen(text), NULL, NULL, arena, notes);
  CHECK_INT(base_notes_errors(notes), 1);
  keep[0] = 0;
  if (base_notes_count(notes)) strncat(keep, base_notes_reason(notes, 0), sizeof keep - 1);
  base_notes_free(notes);
  base_arena_free(arena);
  free(text);
  return keep;
}

TEST(deep_nesting_is_refused_without_deep_recursion)
{
  CHECK_TEXT(reason("let a = ", '(', 200000), "more than 200 brackets are open here");
  CHECK_TEXT(reason("let a = f", '(', 200000), "more than 200 brackets are open here");
  CHECK_TEXT(reason("let a = ", '-', 1000000), "expected a value before the end of the text");
  CHECK_TEXT(reason("let a = x", '^', 1), "expected a value before the end of the text");
  char* powers = repeat("2", "^2", 100000);
  CHECK_INT(strncmp(read_expression(powers), "e:1:", 4), 0);
  CHECK(strstr(read_expression(powers), "more than 200 operations deep") != NULL);
  free(powers);
  char* fields = repeat("x", ".y", 100000);
  CHECK(strstr(read_expression(fields), "more than 200 operations deep") != NULL);
  free(fields);
  char* calls = repeat("", "f(", 100000);
  CHECK(strstr(read_expression(calls), "more than 200 brackets are open here") != NULL);
  free(calls);
}

TEST(a_million_minuses_are_one_sign)
{
  char* even = repeat("", "-", 1000000);
  base_text t = {0};
  base_text_printf(&t, "%sx", even);
  CHECK_TEXT(read_expression(t.at), "x");
  base_text_free(&t);
  base_text_printf(&t, "-%sx", even);
  CHECK_TEXT(read_expression(t.at), "(-x)");
  base_text_free(&t);
  free(even);
}

TEST(two_hundred_brackets_are_enough_for_everybody)
{
  base_text t = {0};
  for (int i = 0; i < 200; i++) base_text_add(&t, "(");
  base_text_add(&t, "x");
  for (int i = 0; i < 200; i++) base_text_add(&t, ")");
  CHECK_TEXT(read_expression(t.at), "x");
  base_text_free(&t);
}

TEST(every_node_knows_its_place)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_node* n = lang_parse_expression("e", " 2*(a + vel(P, F).y')^2 ", arena, notes);
  CHECK_TEXT(base_notes_quote(notes, n->place, arena), "2*(a + vel(P, F).y')^2");
  lang_node* power = n->kid[1];
  CHECK_TEXT(base_notes_quote(notes, power->place, arena), "(a + vel(P, F).y')^2");
  lang_node* sum = power->kid[0];
  CHECK_TEXT(base_notes_quote(notes, sum->place, arena), "(a + vel(P, F).y')");
  CHECK_TEXT(base_notes_quote(notes, sum->kid[1]->place, arena), "vel(P, F).y'");
  CHECK_TEXT(base_notes_quote(notes, sum->kid[1]->kid[0]->kid[0]->place, arena), "vel(P, F)");
  base_notes_free(notes);
  base_arena_free(arena);
}

TEST(equations_are_read_as_a_list)
{
  base_arena* arena = base_arena_new();
  base_notes* notes = base_notes_new();
  lang_equation* e;
  CHECK_INT(lang_parse_equations("--state", "x=1, x'=2*pi; z ~ -3,", arena, notes, &e), 3);
  base_text t = {0};
  for (int i = 0; i < 3; i++) {
    lang_print_node(e[i].left, &t);
    base_text_add(&t, e[i].relation == LANG_GUESS ? "~" : "=");
    lang_print_node(e[i].right, &t);
    base_text_add(&t, " ");
  }
  CHECK_TEXT(t.at, "x=1 x'=(2 * pi) z~(-3) ");
  base_text_free(&t);
  CHECK_INT(lang_parse_equations("--state", "", arena, notes, &e), 0);
  CHECK_INT(base_notes_errors(notes), 0);
  CHECK_INT(lang_parse_equations("--state", "x=1 y=2", arena, notes, &e), -1);
  CHECK_INT(lang_parse_equations("--state", "x", arena, notes, &e), -1);
  CHECK_TEXT(base_notes_reason(notes, 0), "expected `,`, found `y`");
  CHECK_TEXT(base_notes_reason(notes, 1), "expected `=` or `~` before the end of the text");
  base_notes_free(notes);
  base_arena_free(arena);
}
