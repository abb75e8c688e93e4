// Units in brackets: SI base and derived units with prefixes, products, quotients, powers.
//   unit  = power { ("*" | "/") power }
//   power = atom [ "^" exponent ]        atom = name | "1" | "(" unit ")"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/dim.h"

typedef struct unit_row
{
  const char* name;
  bool prefix;               // may carry one
  int e[MODEL_DIM_BASES];    // m kg s A K mol cd
  const char *above, *below; // scale to SI, exact
  int pi;                    // power of pi in the scale
} unit_row;

// the gram carries the prefixes, so its scale is 1/1000
static const unit_row rows[] = {
    {"m", true, {1}, "1", "1", 0},
    {"g", true, {0, 1}, "1", "1000", 0},
    {"s", true, {0, 0, 1}, "1", "1", 0},
    {"A", true, {0, 0, 0, 1}, "1", "1", 0},
    {"K", true, {0, 0, 0, 0, 1}, "1", "1", 0},
    {"mol", true, {0, 0, 0, 0, 0, 1}, "1", "1", 0},
    {"cd", true, {0, 0, 0, 0, 0, 0, 1}, "1", "1", 0},
    {"N", true, {1, 1, -2}, "1", "1", 0},
    {"J", true, {2, 1, -2}, "1", "1", 0},
    {"W", true, {2, 1, -3}, "1", "1", 0},
    {"Pa", true, {-1, 1, -2}, "1", "1", 0},
    {"Hz", true, {0, 0, -1}, "1", "1", 0},
    {"C", true, {0, 0, 1, 1}, "1", "1", 0},
    {"V", true, {2, 1, -3, -1}, "1", "1", 0},
    {"ohm", true, {2, 1, -3, -2}, "1", "1", 0},
    {"\xce\xa9", true, {2, 1, -3, -2}, "1", "1", 0},
    {"S", true, {-2, -1, 3, 2}, "1", "1", 0},
    {"F", true, {-2, -1, 4, 2}, "1", "1", 0},
    {"T", true, {0, 1, -2, -1}, "1", "1", 0},
    {"Wb", true, {2, 1, -2, -1}, "1", "1", 0},
    {"H", true, {2, 1, -2, -2}, "1", "1", 0},
    {"lm", true, {0, 0, 0, 0, 0, 0, 1}, "1", "1", 0},
    {"lx", true, {-2, 0, 0, 0, 0, 0, 1}, "1", "1", 0},
    {"Bq", true, {0, 0, -1}, "1", "1", 0},
    {"Gy", true, {2, 0, -2}, "1", "1", 0},
    {"Sv", true, {2, 0, -2}, "1", "1", 0},
    {"kat", true, {0, 0, -1, 0, 0, 1}, "1", "1", 0},
    {"L", true, {3}, "1", "1000", 0},
    {"l", true, {3}, "1", "1000", 0},
    {"bar", true, {-1, 1, -2}, "100000", "1", 0},
    {"rad", true, {0}, "1", "1", 0},
    {"sr", true, {0}, "1", "1", 0},
    {"min", false, {0, 0, 1}, "60", "1", 0},
    {"h", false, {0, 0, 1}, "3600", "1", 0},
    {"deg", false, {0}, "1", "180", 1},
    {"\xc2\xb0", false, {0}, "1", "180", 1},
    {"rpm", false, {0, 0, -1}, "1", "30", 1},
};
enum { ROWS = sizeof rows / sizeof *rows };

static const struct
{
  const char* name;
  int power;
} prefixes[] = {{"Y", 24},  {"Z", 21},  {"E", 18},        {"P", 15},        {"T", 12}, {"G", 9},
                {"M", 6},   {"k", 3},   {"h", 2},         {"da", 1},        {"d", -1}, {"c", -2},
                {"m", -3},  {"u", -6},  {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"n", -9}, {"p", -12},
                {"f", -15}, {"a", -18}, {"z", -21},       {"y", -24}};

typedef struct reader
{
  const char* at;
  const char* start;
  base_place place;
  expr_pool* pool;
  base_notes* notes;
  int depth;
  bool failed;
} reader;

typedef struct measure
{
  model_dim dim;
  expr scale;
} measure;

static measure read_unit(reader* r);

static measure fail(reader* r)
{
  r->failed = true;
  return (measure){model_dim_one(), expr_int(r->pool, 1)};
}

static void skip_blanks(reader* r)
{
  while (*r->at == ' ' || *r->at == '\t') r->at++;
}

static const unit_row* row_find(const char* name, size_t n)
{
  for (int i = 0; i < ROWS; i++)
    if (strlen(rows[i].name) == n && memcmp(rows[i].name, name, n) == 0) return &rows[i];
  return NULL;
}

static expr row_scale(expr_pool* p, const unit_row* u, int tens)
{
  expr above = expr_decimal(p, u->above, strlen(u->above));
  expr below = expr_decimal(p, u->below, strlen(u->below));
  expr scale = expr_div(p, above, below);
  if (u->pi) scale = expr_mul(p, scale, expr_pow(p, expr_pi(p), expr_int(p, u->pi)));
  return expr_mul(p, scale, expr_pow(p, expr_int(p, 10), expr_int(p, tens)));
}

static measure row_measure(reader* r, const unit_row* u, int tens)
{
  measure m = {model_dim_one(), row_scale(r->pool, u, tens)};
  for (int i = 0; i < MODEL_DIM_BASES; i++) m.dim.e[i] = u->e[i] * MODEL_DIM_PARTS;
  return m;
}

// units under the names that they have elsewhere
static const char* other_name(const char* name)
{
  static const char* const names[][2] = {
      {"degree", "deg"}, {"degrees", "deg"}, {"radian", "rad"},   {"radians", "rad"},
      {"meter", "m"},    {"meters", "m"},    {"metre", "m"},      {"metres", "m"},
      {"sec", "s"},      {"second", "s"},    {"seconds", "s"},    {"kilogram", "kg"},
      {"kgs", "kg"},     {"gram", "g"},      {"newton", "N"},     {"newtons", "N"},
      {"joule", "J"},    {"joules", "J"},    {"watt", "W"},       {"hertz", "Hz"},
      {"minute", "min"}, {"hour", "h"},      {"kilograms", "kg"}, {"grams", "g"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], name) == 0) return names[i][1];
  return NULL;
}

static measure unknown_unit(reader* r, const char* name, size_t n)
{
  const char* words[ROWS + 4] = {"kg", "km", "cm", "mm"};
  for (int i = 0; i < ROWS; i++) words[4 + i] = rows[i].name;
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(n < 60 ? n : 60), name);
  const char* near = other_name(word);
  if (!near) near = base_nearest(word, words, ROWS + 4);
  base_error(r->notes, r->place, "unknown unit `%s`", word);
  if (near)
    base_help(r->notes, "did you mean `%s`?", near);
  else
    base_help(r->notes, "known are SI base and derived units with prefixes, deg, rpm, min, h, bar");
  return fail(r);
}

// the exponent of a raised 2 or 3, as in m/s²; 0: none stands here
static int raised(const reader* r)
{
  if (strncmp(r->at, "\u00B2", 2) == 0) return 2;
  return strncmp(r->at, "\u00B3", 2) == 0 ? 3 : 0;
}

// how long the sign of a product is, * or a dot in the middle or a cross; 0: none stands here
static size_t times(const reader* r)
{
  static const char* const signs[] = {"*", "\u00B7", "\u22C5", "\u00D7"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (strncmp(r->at, signs[i], strlen(signs[i])) == 0) return strlen(signs[i]);
  return 0;
}

// a name: as it stands, or with a prefix
static measure read_name(reader* r)
{
  const char* name = r->at;
  while ((isalpha((unsigned char)*r->at) || *r->at == '_' || (unsigned char)*r->at >= 0x80) &&
         !raised(r) && !times(r))
    r->at++;
  size_t n = (size_t)(r->at - name);
  const unit_row* u = row_find(name, n);
  if (u) return row_measure(r, u, 0);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t k = strlen(prefixes[i].name);
    if (n <= k || memcmp(name, prefixes[i].name, k) != 0) continue;
    u = row_find(name + k, n - k);
    if (u && u->prefix) return row_measure(r, u, prefixes[i].power);
  }
  return unknown_unit(r, name, n);
}

static measure read_atom(reader* r)
{
  skip_blanks(r);
  if (*r->at == '(') {
    if (++r->depth > 50) {
      base_error(r->notes, r->place, "this unit has too many brackets");
      return fail(r);
    }
    r->at++;
    measure m = read_unit(r);
    skip_blanks(r);
    if (!r->failed && *r->at != ')') {
      base_error(r->notes, r->place, "a `)` is missing in this unit");
      return fail(r);
    }
    if (!r->failed) r->at++;
    r->depth--;
    return m;
  }
  if (*r->at == '1' && !isdigit((unsigned char)r->at[1]) && r->at[1] != '.') {
    r->at++;
    return (measure){model_dim_one(), expr_int(r->pool, 1)};
  }
  if (isalpha((unsigned char)*r->at) || (unsigned char)*r->at >= 0x80) return read_name(r);
  if (*r->at)
    base_error(r->notes, r->place, "expected a unit such as kg or m/s^2, found `%c`", *r->at);
  else
    base_error(r->notes, r->place, "expected a unit such as kg or m/s^2");
  return fail(r);
}

// whole number of at most four digits, with a sign
static bool read_whole(reader* r, long* value)
{
  skip_blanks(r);
  char* end;
  const char* digits = *r->at == '-' || *r->at == '+' ? r->at + 1 : r->at;
  if (!isdigit((unsigned char)*digits)) return false;
  *value = strtol(r->at, &end, 10);
  if (end - digits > 4) return false;
  r->at = end;
  return true;
}

// 2, -1, 1/2 in brackets
static bool read_exponent(reader* r, long* above, long* below)
{
  skip_blanks(r);
  *below = 1;
  bool bracket = *r->at == '(';
  if (bracket) r->at++;
  if (!read_whole(r, above)) return false;
  skip_blanks(r);
  if (!bracket) return true;
  if (*r->at == '/') {
    r->at++;
    if (!read_whole(r, below) || *below <= 0) return false;
    skip_blanks(r);
  }
  if (*r->at != ')') return false;
  r->at++;
  return true;
}

static measure read_power(reader* r)
{
  measure m = read_atom(r);
  skip_blanks(r);
  long above = raised(r), below = 1;
  if (r->failed || (*r->at != '^' && !above)) return m;
  r->at += above ? 2 : 1;
  if (!above && !read_exponent(r, &above, &below)) {
    base_error(r->notes, r->place,
               "the exponent of a unit is a whole number or a ratio, as m^2 "
               "or m^(1/2)");
    return fail(r);
  }
  m.dim = model_dim_pow(m.dim, (double)above / (double)below);
  m.scale = expr_pow(r->pool, m.scale, expr_ratio(r->pool, above, below));
  if (m.dim.kind != MODEL_DIM_KNOWN) {
    base_error(r->notes, r->place, "the exponent of this unit is out of reach");
    return fail(r);
  }
  return m;
}

static measure read_unit(reader* r)
{
  measure m = read_power(r);
  for (skip_blanks(r); !r->failed && (times(r) || *r->at == '/'); skip_blanks(r)) {
    bool over = *r->at == '/';
    r->at += over ? 1 : times(r);
    measure k = read_power(r);
    m.dim = over ? model_dim_div(m.dim, k.dim) : model_dim_mul(m.dim, k.dim);
    m.scale = over ? expr_div(r->pool, m.scale, k.scale) : expr_mul(r->pool, m.scale, k.scale);
    if (!r->failed && m.dim.kind != MODEL_DIM_KNOWN) {
      base_error(r->notes, r->place, "the exponents of this unit are out of reach");
      return fail(r);
    }
  }
  return m;
}

bool model_unit_read(const char* text, base_place place, expr_pool* pool, base_notes* notes,
                     model_dim* dim, expr* scale)
{
  reader r = {.at = text, .start = text, .place = place, .pool = pool, .notes = notes};
  measure m = read_unit(&r);
  if (!r.failed && *r.at) {
    base_error(notes, place, "cannot read the unit `%s` from `%s` on", text, r.at);
    base_help(notes, "write products with `*`: [kg*m^2/s]");
    r.failed = true;
  }
  *dim = r.failed ? model_dim_unknown() : m.dim;
  *scale = r.failed ? expr_int(pool, 1) : m.scale;
  return !r.failed;
}
