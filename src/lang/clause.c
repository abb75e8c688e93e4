// Clauses: mass m, from (...), in F, rotated z(a) and the like.
#include "lang/clause.h"
#include "lang/node.h"
#include "lang/reader.h"

#include <assert.h>
#include <string.h>

static void read_mass(lang_parser* p, lang_statement* s)
{
  s->mass = lang_expression_value(p);
}

static void read_density(lang_parser* p, lang_statement* s)
{
  s->density = lang_expression_value(p);
}

static void read_scale(lang_parser* p, lang_statement* s)
{
  s->scale = lang_expression_value(p);
}

static void read_about(lang_parser* p, lang_statement* s)
{
  s->about = lang_expression_value(p);
}

static void read_mesh(lang_parser* p, lang_statement* s)
{
  lang_solid* x = base_arena_take(p->arena, sizeof *x);
  s->mesh = x;
  x->place = x->file_place = lang_parser_place(p);
  if (p->now.kind != TOKEN_STRING) {
    lang_parser_unexpected(p, "the name of a file in quotes");
    return;
  }
  x->file = lang_parser_string(p);
  if (x->file) x->data = lang_use_data(p, x->file, x->file_place, &x->bytes);
}

static void read_radius(lang_parser* p, lang_statement* s)
{
  s->radius = lang_expression_value(p);
}

static void read_vector(lang_parser* p, lang_statement* s)
{
  s->vector = lang_expression_value(p);
}

static void read_corners(lang_parser* p, lang_statement* s)
{
  for (int i = 0; i < 3; i++) {
    if (lang_parser_is_word(p, "in")) lang_parser_unexpected(p, "three corners (x, y, z)");
    s->corner[i] = lang_expression_value(p);
  }
}

static void read_from(lang_parser* p, lang_statement* s)
{
  s->from = lang_expression_value(p);
}

static void read_to(lang_parser* p, lang_statement* s)
{
  s->to = lang_expression_value(p);
}

static void read_at(lang_parser* p, lang_statement* s)
{
  s->at = lang_expression_value(p);
}

static void read_in(lang_parser* p, lang_statement* s)
{
  s->in = lang_name_read(p, "the name of a frame");
}

static void read_on(lang_parser* p, lang_statement* s)
{
  s->on = lang_name_read(p, "the name of a body or frame");
}

static void read_equal(lang_parser* p, lang_statement* s)
{
  s->value = lang_expression_value(p);
}

static void read_stiffness(lang_parser* p, lang_statement* s)
{
  s->stiffness = lang_expression_value(p);
}

static void read_length(lang_parser* p, lang_statement* s)
{
  s->natural = lang_expression_value(p);
}

static void read_damping(lang_parser* p, lang_statement* s)
{
  s->damping = lang_expression_value(p);
}

static void read_preload(lang_parser* p, lang_statement* s)
{
  s->preload = lang_expression_value(p);
}

static void read_rotated(lang_parser* p, lang_statement* s)
{
  if (lang_parser_accept_word(p, "about")) {
    lang_rotation r = {.axis = 'a', .about = lang_expression_value(p)};
    lang_parser_expect_word(p, "by");
    r.angle = lang_expression_value(p);
    s->rotation = base_arena_take(p->arena, sizeof r);
    s->rotation[0] = r;
    s->rotations = 1;
    return;
  }
  if (lang_parser_accept_word(p, "by")) {
    lang_rotation r = {.axis = 'q', .by = lang_name_read(p, "the name of an orientation")};
    s->rotation = base_arena_take(p->arena, sizeof r);
    s->rotation[0] = r;
    s->rotations = 1;
    return;
  }
  const bool bare = p->now.kind == TOKEN_NAME && lang_parser_ahead(p).kind != TOKEN_OPEN;
  lang_clause_rotations(p, s);
  if (s->rotations == 0 && lang_parser_unexpected(p, "a rotation such as z(theta)") && bare) {
    base_help(p->notes, "an angle is written with its axis, as z(theta); an orientation with"
                        " `by`, as in `rotated by Q`");
    lang_parser_usage(p);
  }
}

static char axis_at(const lang_parser* p)
{
  if (p->now.kind != TOKEN_NAME || lang_parser_ahead(p).kind != TOKEN_OPEN) return 0;
  if (lang_parser_is_word(p, "x")) return 'x';
  if (lang_parser_is_word(p, "y")) return 'y';
  return lang_parser_is_word(p, "z") ? 'z' : 0;
}

void lang_clause_rotations(lang_parser* p, lang_statement* s)
{
  BASE_LIST(lang_rotation) list = {0};
  for (char axis; (axis = axis_at(p));) {
    lang_parser_advance(p);
    base_push(&list, (lang_rotation){.axis = axis, .angle = lang_expression_bracket(p)});
  }
  if (p->now.kind == TOKEN_NAME && lang_parser_ahead(p).kind == TOKEN_OPEN &&
      !lang_parser_is_word(p, "at"))
    lang_parser_unexpected(p, "a rotation about x, y or z");
  s->rotations = list.n;
  s->rotation = lang_seal(p, &list);
}

static const struct
{
  const char* word; // as in the text
  lang_clause bit;
  void (*read)(lang_parser* p, lang_statement* s);
} clauses[] = {
    {"mass", CLAUSE_MASS, read_mass},
    {"density", CLAUSE_DENSITY, read_density},
    {"mesh", CLAUSE_MESH, read_mesh},
    {"scale", CLAUSE_SCALE, read_scale},
    {"size", CLAUSE_SIZE, read_vector},
    {"axis", CLAUSE_AXIS, read_vector},
    {"about", CLAUSE_ABOUT, read_about},
    {"radius", CLAUSE_RADIUS, read_radius},
    {"normal", CLAUSE_NORMAL, read_vector},
    {"inertia", CLAUSE_INERTIA, read_vector},
    {"corners", CLAUSE_CORNERS, read_corners},
    {"from", CLAUSE_FROM, read_from},
    {"to", CLAUSE_TO, read_to},
    {"at", CLAUSE_AT, read_at},
    {"in", CLAUSE_IN, read_in},
    {"on", CLAUSE_ON, read_on},
    {"rotated", CLAUSE_ROTATED, read_rotated},
    {"stiffness", CLAUSE_STIFFNESS, read_stiffness},
    {"length", CLAUSE_LENGTH, read_length},
    {"angle", CLAUSE_ANGLE, read_length},
    {"damping", CLAUSE_DAMPING, read_damping},
    {"preload", CLAUSE_PRELOAD, read_preload},
    {"=", CLAUSE_EQUAL, read_equal},
};
enum { clause_count = sizeof clauses / sizeof *clauses };

static int clause_at(const lang_parser* p, unsigned wanted)
{
  for (int i = 0; i < clause_count; i++) {
    if (!(clauses[i].bit & wanted)) continue;
    if (p->now.kind == TOKEN_EQUAL ? clauses[i].bit == CLAUSE_EQUAL
                                   : lang_parser_is_word(p, clauses[i].word))
      return i;
  }
  return -1;
}

void lang_clause_suggest(lang_parser* p, lang_token t)
{
  if (t.kind != TOKEN_NAME) return;
  const char* words[clause_count];
  for (int i = 0; i < clause_count; i++) words[i] = clauses[i].word;
  char* word = base_arena_strndup(p->arena, p->source.text + t.from, t.to - t.from);
  const char* near = base_nearest(word, words, clause_count);
  if (near && strcmp(near, word) != 0) base_help(p->notes, "did you mean `%s`?", near);
}

static void report_missing(lang_parser* p, unsigned missing)
{
  for (int i = 0; i < clause_count; i++) {
    if (!(clauses[i].bit & missing)) continue;
    lang_token t = p->now;
    if (t.kind == TOKEN_UNIT) lang_parser_unexpected(p, "another clause");
    bool told = lang_parser_fail(p, lang_parser_place(p), "`%s` is missing", clauses[i].word);
    if (!told) return;
    lang_clause_suggest(p, t);
    lang_parser_usage(p);
    return;
  }
}

static lang_node* one(lang_parser* p)
{
  return lang_node_number(p, lang_parser_place(p), "1", 1).node;
}

// Where kinematics alone are asked for, a body needs no mass and no inertia: they are one, and
// count nowhere. Returns which were put there.
static unsigned leave_out(lang_parser* p, lang_statement* s, unsigned missing)
{
  if (!p->limits->mechanism) return 0;
  if (missing & CLAUSE_MASS) s->mass = one(p);
  if (missing & CLAUSE_INERTIA) {
    lang_node* kid[3] = {one(p), one(p), one(p)};
    s->vector = lang_node_leaf(p, LANG_TUPLE, lang_parser_place(p));
    lang_node_adopt(p, s->vector, kid, 3);
  }
  return CLAUSE_MASS | CLAUSE_INERTIA;
}

void lang_clause_read(lang_parser* p, lang_statement* s, unsigned needs, unsigned may)
{
  assert((needs & may) == 0);
  unsigned seen = 0;
  for (int i; (i = clause_at(p, needs | may)) >= 0;) {
    if (seen & clauses[i].bit) {
      lang_parser_fail(p, lang_parser_place(p), "`%s` is given twice", clauses[i].word);
      return;
    }
    seen |= clauses[i].bit;
    lang_parser_advance(p);
    clauses[i].read(p, s);
  }
  if (seen & CLAUSE_DENSITY && seen & CLAUSE_MASS)
    lang_parser_fail(p, lang_parser_place(p), "a body has a mass or a density, not both");
  if (seen & CLAUSE_DENSITY) seen |= CLAUSE_MASS;
  report_missing(p, needs & ~(seen | leave_out(p, s, needs & ~seen)));
}
