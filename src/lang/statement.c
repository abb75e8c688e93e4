// The statements of the language: a table of words, each with its reader.
#include "lang/clause.h"
#include "lang/law.h"
#include "lang/parser.h"
#include "lang/reader.h"
#include "lang/repeat.h"

#include <assert.h>
#include <string.h>

typedef struct form
{
  const char* word;
  lang_statement_kind kind;
  void (*read)(lang_parser* p, lang_statement* s, const struct form* f);
  unsigned needs, may; // clauses
  const char* usage;
} form;

// ---- declarations -------------------------------------------------------------------------------

static void read_model(lang_parser* p, lang_statement* s, const form* f)
{
  (void)f;
  s->text = lang_parser_string(p);
}

static void read_params(lang_parser* p, lang_statement* s, const form* f)
{
  (void)f;
  BASE_LIST(lang_param) list = {0};
  do {
    lang_param x = {.name = lang_name_read(p, "a name")};
    lang_parser_expect(p, TOKEN_EQUAL, "`=`");
    p->units = true;
    x.value = lang_expression_value(p);
    p->units = false;
    x.unit = lang_parser_unit(p);
    if (p->now.kind == TOKEN_STRING) x.note = lang_parser_string(p);
    base_push(&list, x);
  } while (lang_parser_accept(p, TOKEN_COMMA));
  s->params = list.n;
  s->param = lang_seal(p, &list);
}

// a unit holds for the names before it that have none
static void read_coords(lang_parser* p, lang_statement* s, const form* f)
{
  BASE_LIST(lang_param) list = {0};
  int bare = 0;
  do {
    p->units = f->kind == LANG_COORD;
    base_push(&list, (lang_param){.name = lang_name_read(p, "a name")});
    p->units = false;
    lang_unit unit = {0};
    if (f->kind == LANG_COORD) unit = lang_parser_unit(p);
    if (!unit.text) continue;
    for (; bare < list.n; bare++) list.at[bare].unit = unit;
  } while (lang_parser_accept(p, TOKEN_COMMA));
  s->params = list.n;
  s->param = lang_seal(p, &list);
}

// name = value
static void read_named(lang_parser* p, lang_statement* s, const form* f)
{
  s->name = lang_name_read(p, "a name");
  lang_parser_expect(p, TOKEN_EQUAL, "`=`");
  s->value = f->kind == LANG_QUASI ? lang_expression_value(p) : lang_expression_condition(p);
}

static void read_frame(lang_parser* p, lang_statement* s, const form* f)
{
  s->name = lang_name_read(p, "a name");
  lang_parser_expect(p, TOKEN_EQUAL, "`=`");
  s->in = lang_name_read(p, "the name of a frame");
  lang_clause_read(p, s, f->needs, f->may);
}

// points, particles, bodies: a name and clauses
static void read_body(lang_parser* p, lang_statement* s, const form* f)
{
  s->name = lang_name_read(p, "a name");
  lang_clause_read(p, s, f->needs, f->may);
}

// what it is stands in front of its name; that of a body from a mesh behind it
static void read_solid_body(lang_parser* p, lang_statement* s, const form* f)
{
  s->shape = (lang_word){f->word, lang_parser_place(p)};
  read_body(p, s, f);
}

static void read_free_body(lang_parser* p, lang_statement* s, const form* f)
{
  s->name = lang_name_read(p, "a name");
  if (!lang_parser_is_word(p, "mesh")) {
    lang_clause_read(p, s, f->needs, f->may);
    return;
  }
  s->kind = LANG_SOLID_BODY;
  s->shape = (lang_word){"mesh", lang_parser_place(p)};
  lang_clause_read(p, s, CLAUSE_MESH | CLAUSE_MASS,
                   CLAUSE_DENSITY | CLAUSE_SCALE | CLAUSE_AT | CLAUSE_IN);
}

// ---- energies and forces ------------------------------------------------------------------------

static void read_value(lang_parser* p, lang_statement* s, const form* f)
{
  (void)f;
  s->value = lang_expression_value(p);
}

static void read_vector(lang_parser* p, lang_statement* s, const form* f)
{
  s->vector = lang_expression_value(p);
  if (f->kind == LANG_TORQUE && p->now.kind == TOKEN_EQUAL &&
      lang_parser_fail(p, s->vector->place, "a torque acts on a body, not on a coordinate"))
    base_help(p->notes, "what acts along an angle is its force: force theta = ...");
  lang_clause_read(p, s, f->needs, f->may);
}

// NAME: from P to Q and the law
static void read_spring(lang_parser* p, lang_statement* s, const form* f)
{
  s->name = lang_name_read(p, "a name");
  lang_parser_expect(p, TOKEN_COLON, "`:`");
  lang_clause_read(p, s, f->needs, f->may);
}

static void read_force(lang_parser* p, lang_statement* s, const form* f)
{
  if (p->now.kind == TOKEN_NAME && lang_parser_after_name(p).kind == TOKEN_EQUAL)
    read_named(p, s, f);
  else if (!lang_law_force(p, s))
    lang_clause_read(p, s, f->needs, f->may);
}

// ---- what is done -------------------------------------------------------------------------------

static void read_run(lang_parser* p, lang_statement* s, const form* f)
{
  (void)f;
  s->from = lang_expression_value(p);
  if (p->now.kind != TOKEN_DOTS && lang_parser_unexpected(p, "`..`")) lang_parser_usage(p);
  lang_parser_accept(p, TOKEN_DOTS);
  s->to = lang_expression_value(p);
}

static void read_word(lang_parser* p, lang_statement* s, const form* f)
{
  s->name = lang_name_read(p, f->kind == LANG_TRACE ? "the name of a point" : "a name");
}

static void read_plot(lang_parser* p, lang_statement* s, const form* f)
{
  (void)f;
  BASE_LIST(lang_node*) list = {0};
  do base_push(&list, lang_expression_value(p));
  while (lang_parser_accept(p, TOKEN_COMMA));
  s->curves = list.n;
  s->curve = lang_seal(p, &list);
  if (p->now.kind != TOKEN_COLON && lang_parser_unexpected(p, "`:`")) lang_parser_usage(p);
  lang_parser_accept(p, TOKEN_COLON);
  s->against = lang_expression_value(p);
  if (lang_parser_accept_word(p, "at")) s->on = lang_name_read(p, "the name of an event");
  if (p->now.kind == TOKEN_STRING) s->text = lang_parser_string(p);
}

static void read_show(lang_parser* p, lang_statement* s, const form* f)
{
  (void)f;
  static const char* const shapes[] = {"ball", "box", "rod"};
  s->shape = lang_name_choice(p, "`ball`, `box` or `rod`", shapes, 3);
  if (!s->shape.text) return;
  if (strcmp(s->shape.text, "ball") == 0) {
    lang_clause_read(p, s, CLAUSE_RADIUS | CLAUSE_AT, CLAUSE_IN);
  } else if (strcmp(s->shape.text, "rod") == 0) {
    lang_clause_read(p, s, CLAUSE_FROM | CLAUSE_TO, CLAUSE_IN);
  } else {
    s->vector = lang_expression_value(p);
    lang_clause_read(p, s, CLAUSE_IN, 0);
  }
}

// ---- laws live in law.c -------------------------------------------------------------------------

#define LAW(NAME)                                                           \
  static void read_##NAME(lang_parser* p, lang_statement* s, const form* f) \
  {                                                                         \
    (void)f;                                                                \
    lang_law_##NAME(p, s);                                                  \
  }
LAW(constraint)
LAW(initial)
LAW(event)
LAW(stage)
LAW(resist)
LAW(surface)
LAW(curve)
LAW(function)
LAW(joint)
LAW(bushing)
LAW(rope)
LAW(couple)
LAW(contact)
LAW(beyond)
LAW(solids)
#undef LAW

#define DATA(NAME)                                                          \
  static void read_##NAME(lang_parser* p, lang_statement* s, const form* f) \
  {                                                                         \
    (void)f;                                                                \
    lang_data_##NAME(p, s);                                                 \
  }
DATA(states)
DATA(rate)
DATA(sample)
DATA(table)
#undef DATA

static const form forms[] = {
    {"model", LANG_MODEL, read_model, 0, 0, "model \"Title\""},
    {"param", LANG_PARAM, read_params, 0, 0, "param m = 7 [kg] \"mass\", l = 1 [m]"},
    {"coord", LANG_COORD, read_coords, 0, 0, "coord x, y [m]"},
    {"orientation", LANG_ORIENTATION, read_coords, 0, 0, "orientation Q"},
    {"let", LANG_LET, read_named, 0, 0, "let p = x'*sin(x)"},
    {"frame", LANG_FRAME, read_frame, 0, CLAUSE_AT | CLAUSE_ROTATED,
     "frame B = A at (x, y, 0) rotated z(theta)"},
    {"point", LANG_POINT, read_body, CLAUSE_EQUAL, CLAUSE_IN, "point P = (x, y, z) in F"},
    {"particle", LANG_PARTICLE, read_body, CLAUSE_MASS | CLAUSE_EQUAL, CLAUSE_IN,
     "particle P mass m = (x, y, z) in F"},
    {"body", LANG_BODY, read_free_body, CLAUSE_MASS | CLAUSE_INERTIA,
     CLAUSE_ABOUT | CLAUSE_AT | CLAUSE_IN,
     "body B mass m inertia (Ixx, Iyy, Izz) at (x, y, z) in F  or  body B mesh \"part.stl\" "
     "density "
     "rho"},
    {"rod", LANG_ROD, read_body, CLAUSE_MASS | CLAUSE_FROM | CLAUSE_TO, CLAUSE_DENSITY | CLAUSE_IN,
     "rod R mass m from (x, y, z) to (x, y, z) in F"},
    {"plate", LANG_PLATE, read_body, CLAUSE_MASS | CLAUSE_CORNERS, CLAUSE_DENSITY | CLAUSE_IN,
     "plate P mass m corners (x, y, z) (x, y, z) (x, y, z) in F"},
    {"disc", LANG_DISC, read_body, CLAUSE_MASS | CLAUSE_RADIUS,
     CLAUSE_NORMAL | CLAUSE_DENSITY | CLAUSE_AT | CLAUSE_IN,
     "disc D mass m radius r normal (x, y, z) at (x, y, z) in F"},
    {"ball", LANG_BALL, read_body, CLAUSE_MASS | CLAUSE_RADIUS,
     CLAUSE_DENSITY | CLAUSE_AT | CLAUSE_IN, "ball B mass m radius r at (x, y, z) in F"},
    {"box", LANG_SOLID_BODY, read_solid_body, CLAUSE_MASS | CLAUSE_SIZE,
     CLAUSE_DENSITY | CLAUSE_AT | CLAUSE_IN, "box B size (a, b, c) mass m at (x, y, z) in F"},
    {"cylinder", LANG_SOLID_BODY, read_solid_body, CLAUSE_MASS | CLAUSE_RADIUS | CLAUSE_LENGTH,
     CLAUSE_DENSITY | CLAUSE_AXIS | CLAUSE_AT | CLAUSE_IN,
     "cylinder B radius r length l axis (0, 0, 1) mass m at (x, y, z) in F"},
    {"cone", LANG_SOLID_BODY, read_solid_body, CLAUSE_MASS | CLAUSE_RADIUS | CLAUSE_LENGTH,
     CLAUSE_DENSITY | CLAUSE_AXIS | CLAUSE_AT | CLAUSE_IN,
     "cone B radius r length l axis (0, 0, 1) mass m at (x, y, z) in F"},
    {"shell", LANG_SOLID_BODY, read_solid_body, CLAUSE_MASS | CLAUSE_RADIUS,
     CLAUSE_DENSITY | CLAUSE_AT | CLAUSE_IN, "shell B radius R mass m at (x, y, z) in F"},
    {"kinetic", LANG_KINETIC, read_value, 0, 0, "kinetic m/2*x'^2"},
    {"potential", LANG_POTENTIAL, read_value, 0, 0, "potential m*g*z"},
    {"gravity", LANG_GRAVITY, read_vector, 0, CLAUSE_IN,
     "gravity (0, 0, -g)  or  gravity (gx, gy, gz) in F"},
    {"force", LANG_FORCE, read_force, CLAUSE_AT, CLAUSE_IN,
     "force x = -k*x'  or  force (fx, fy, fz) in F at P"},
    {"torque", LANG_TORQUE, read_vector, CLAUSE_ON, CLAUSE_IN, "torque (x, y, z) in F on B"},
    {"spring", LANG_SPRING, read_spring, CLAUSE_FROM | CLAUSE_TO | CLAUSE_STIFFNESS,
     CLAUSE_LENGTH | CLAUSE_DAMPING | CLAUSE_PRELOAD,
     "spring s: from P to Q stiffness k length L damping c preload F"},
    {"pull", LANG_PULL, read_spring, CLAUSE_FROM | CLAUSE_TO | CLAUSE_EQUAL, 0,
     "pull p: from P to Q = k*(p.length - L)"},
    {"torsion", LANG_TORSION, read_spring, CLAUSE_ON | CLAUSE_STIFFNESS,
     CLAUSE_ANGLE | CLAUSE_DAMPING, "torsion s: on knee stiffness k angle a damping c"},
    {"bushing", LANG_BUSHING, read_bushing, 0, 0,
     "bushing s: B at P on A at Q stiffness (kx, ky, kz) turning (a, b, c) damping (u, v, w)"},
    {"rope", LANG_CONSTRAINT, read_rope, 0, 0, "rope r: P, Q, R length L with restitution e"},
    {"couple", LANG_CONSTRAINT, read_couple, 0, 0, "couple gear: a.angle = -3*b.angle"},
    {"function", LANG_FUNCTION, read_function, 0, 0, "function drag(v) = -c*v*abs(v)"},
    {"state", LANG_STATE, read_states, 0, 0, "state z [m] = 0"},
    {"rate", LANG_RATE, read_rate, 0, 0, "rate z = (x - z)/T"},
    {"memory", LANG_MEMORY, read_states, 0, 0, "memory k = 0"},
    {"input", LANG_INPUT, read_states, 0, 0, "input u [N] = 0"},
    {"sample", LANG_SAMPLE, read_sample, 0, 0, "sample control every 0.01 from 0 { u = -K*x }"},
    {"table", LANG_TABLE, read_table, 0, 0,
     "table f(x [m]) = (0, 0), (1, 0.2), (2, 0) cubic outside hold  or  table f(x) = \"f.csv\" "
     "column \"y\" [N]"},
    {"joint", LANG_JOINT, read_joint, 0, 0,
     "joint knee: hinge shin at (0, 0, l) axis y on thigh at (0, 0, -l)"},
    {"constraint", LANG_CONSTRAINT, read_constraint, 0, 0, "constraint blade: vel(A, F).y = 0"},
    {"resist", LANG_RESIST, read_resist, 0, 0, "resist blade = -mu*abs(reaction(blade)) along u"},
    {"quasi", LANG_QUASI, read_named, 0, 0, "quasi v = x'*cos(theta) + y'*sin(theta)"},
    {"surface", LANG_SURFACE, read_surface, 0, 0, "surface S(u, v) = (u, v, u*v)"},
    {"curve", LANG_SURFACE, read_curve, 0, 0, "curve C(u) = (cos(u), sin(u), u)"},
    {"roll", LANG_ROLL, read_contact, 0, 0, "roll B as sphere(R) on F as plane at c"},
    {"slide", LANG_SLIDE, read_contact, 0, 0,
     "slide B as sphere(R) on F as plane at c with friction mu"},
    {"contact", LANG_CONTACT, read_solids, 0, 0,
     "contact c: A as sphere(r), B as plane with friction mu with restitution e"},
    {"contacts", LANG_CONTACTS, read_solids, 0, 0,
     "contacts c: among X[*] as sphere(r) and world as plane with friction mu"},
    {"initial", LANG_INITIAL, read_initial, 0, 0, "initial x' = 7  or  initial x ~ 0.3, y ~ 1"},
    {"stage", LANG_STAGE, read_stage, 0, 0, "stage glide { set a = 1 over 0.3; until t >= 4 }"},
    {"event", LANG_EVENT, read_event, 0, 0, "event hit: x - 1 = 0 rising stop"},
    {"output", LANG_OUTPUT, read_named, 0, 0, "output E = energy()"},
    {"integral", LANG_INTEGRAL, read_named, 0, 0, "integral E = energy()"},
    {"run", LANG_RUN, read_run, 0, 0, "run 0 .. 15"},
    {"tolerance", LANG_TOLERANCE, read_value, 0, 0, "tolerance 1e-10"},
    {"method", LANG_METHOD, read_word, 0, 0, "method dop853"},
    {"beyond", LANG_BEYOND, read_beyond, 0, 0, "beyond paradox: impact"},
    {"plot", LANG_PLOT, read_plot, 0, 0, "plot y : x \"Title\""},
    {"show", LANG_SHOW, read_show, 0, 0,
     "show ball radius r at P  or  show box (a, b, c) in F  or  show rod from P to Q"},
    {"trace", LANG_TRACE, read_word, 0, 0, "trace P"},
};
enum { form_count = sizeof forms / sizeof *forms };

const char* lang_statement_word(int i, const char** usage)
{
  static const char* const others[][2] = {{"use", "use \"other.zw\""},
                                          {"for", "for i in 1..N { coord x[i] }"},
                                          {"part", "part Arm(l = 0.4 [m]) { ... }"},
                                          {"put", "put Arm(l = 0.45) on F at (x, y, z) as left"}};
  enum { other_count = sizeof others / sizeof *others };
  if (i < 0 || i >= form_count + other_count) return NULL;
  *usage = i < form_count ? forms[i].usage : others[i - form_count][1];
  return i < form_count ? forms[i].word : others[i - form_count][0];
}

bool lang_statement_is_word(const char* word, size_t n)
{
  const char *usage, *one;
  for (int i = 0; (one = lang_statement_word(i, &usage)); i++)
    if (strlen(one) == n && memcmp(one, word, n) == 0) return true;
  return false;
}

static void report_unknown(lang_parser* p)
{
  const char *words[form_count + 10], *usage;
  int count = 0;
  while ((words[count] = lang_statement_word(count, &usage))) count++;
  lang_stray_report(p, words, count);
}

// the statement is over where its line is
static void end_statement(lang_parser* p)
{
  if (p->now.kind == TOKEN_NEWLINE || p->now.kind == TOKEN_END) return;
  lang_token t = p->now;
  if (p->braces && (t.kind == TOKEN_SEMICOLON || t.kind == TOKEN_UNBRACE)) return;
  if (t.kind == TOKEN_CLOSE || t.kind == TOKEN_UNBRACE)
    lang_parser_fail(p, lang_parser_place(p), "the bracket was never opened");
  if (!lang_parser_unexpected(p, "the end of the line")) return;
  lang_clause_suggest(p, t);
  lang_parser_usage(p);
}

static bool has_room(lang_parser* p, base_place place)
{
  lang_reader* r = p->reader;
  if (r->statements.n < r->limits->statements) return true;
  if (!r->full) lang_parser_fail(p, place, "more than %d statements", r->limits->statements);
  r->full = true;
  return false;
}

static void read_body_of_for(lang_parser* p, uint32_t end, void* context)
{
  (void)context;
  lang_statement_all(p, end);
}

// read where it stays: of many, copies would take most of the time
static lang_statement* new_statement(lang_parser* p, lang_statement_kind kind)
{
  lang_statement* s = base_arena_take(p->arena, sizeof *s);
  s->kind = kind;
  return s;
}

static void push_statement(lang_parser* p, lang_statement* s, base_place from)
{
  if (p->spoilt || !has_room(p, from)) return;
  s->place = lang_parser_since(p, from);
  base_push(&p->reader->statements, s);
}

// initial x = 1, x' ~ 2: each equation is a statement of its own
static void read_form(lang_parser* p, const form* f, base_place place)
{
  lang_statement* s = new_statement(p, f->kind);
  lang_parser_advance(p);
  f->read(p, s, f);
  while (f->kind == LANG_INITIAL && p->now.kind == TOKEN_COMMA) {
    push_statement(p, s, place);
    lang_parser_advance(p);
    place = lang_parser_place(p);
    s = new_statement(p, f->kind);
    f->read(p, s, f);
  }
  end_statement(p);
  // whatever went wrong, how it is written is a way out
  if (p->spoilt && !base_notes_helped(p->notes)) lang_parser_usage(p);
  push_statement(p, s, place);
}

static void read_statement(lang_parser* p)
{
  const base_place place = lang_parser_place(p);
  const form* f = NULL;
  for (int i = 0; i < form_count && !f; i++)
    if (lang_parser_is_word(p, forms[i].word)) f = &forms[i];
  p->usage = f ? f->usage : NULL;
  if (f) {
    read_form(p, f, place);
    return;
  }
  if (lang_parser_is_word(p, "use")) {
    lang_use(p);
  } else if (lang_parser_is_word(p, "part")) {
    lang_part_define(p);
  } else if (lang_parser_is_word(p, "put")) {
    lang_part_put(p);
  } else if (lang_parser_is_word(p, "for")) {
    p->braces++;
    lang_repeat_read(p, read_body_of_for, NULL);
    p->braces--;
  } else {
    report_unknown(p);
  }
  end_statement(p);
}

void lang_statement_all(lang_parser* p, uint32_t end)
{
  for (;;) {
    if (lang_parser_failed(p)) lang_parser_resume(p);
    while (lang_parser_accept(p, TOKEN_NEWLINE) ||
           (p->braces && lang_parser_accept(p, TOKEN_SEMICOLON))) {
    }
    // a fault at the start of a line fails before any word is read
    if (lang_parser_failed(p)) continue;
    if (p->now.kind == TOKEN_END || p->now.from >= end || p->reader->full) return;
    p->spoilt = false;
    read_statement(p);
  }
}
