// The names of a model: declaring, finding, and the error for a name that is not there.

#include "model/scope.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static unsigned hash(const char* text)
{
  unsigned h = 2166136261u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return h;
}

// with the hash of the name beside it, entries of other names are not looked at: of many they lie
// far away
struct model_name_slot
{
  unsigned hash;
  model_entry* entry; // null: free
};

// first slot with the name, or the free one where it would go
static int slot_of(const model_names* t, unsigned h, const char* name)
{
  int i = (int)(h & (unsigned)(t->room - 1));
  while (t->slot[i].entry && (t->slot[i].hash != h || strcmp(t->slot[i].entry->name, name) != 0))
    i = (i + 1) & (t->room - 1);
  return i;
}

model_entry* model_names_find(const model_names* t, const char* name)
{
  return t->room ? t->slot[slot_of(t, hash(name), name)].entry : NULL;
}

static void names_grow(model_names* t)
{
  model_names old = *t;
  t->room = old.room ? 2 * old.room : 64;
  t->slot = base_alloc((size_t)t->room * sizeof *t->slot);
  for (int i = 0; i < old.room; i++)
    if (old.slot[i].entry)
      t->slot[slot_of(t, old.slot[i].hash, old.slot[i].entry->name)] = old.slot[i];
  free(old.slot);
}

void model_names_add(model_names* t, model_entry* e)
{
  if (2 * (t->n + 1) > t->room) names_grow(t);
  const unsigned h = hash(e->name);
  const int i = slot_of(t, h, e->name);
  assert(!t->slot[i].entry);
  t->slot[i] = (struct model_name_slot){h, e};
  t->n++;
}

void model_names_free(model_names* t)
{
  free(t->slot);
  *t = (model_names){0};
}

model_entry* model_scope_new_entry(model_scope* s, model_sort sort, const char* name,
                                   base_place place)
{
  model_entry* e = base_arena_take(s->arena, sizeof *e);
  e->sort = sort;
  e->name = base_arena_strdup(s->arena, name);
  e->place = place;
  e->part_index = e->few_parts;
  base_push(&s->entries, e);
  return e;
}

// names such as omega and alpha stay free: a function is always followed by its bracket
static bool is_reserved(const char* name)
{
  if (strcmp(name, "t") == 0 || strcmp(name, "pi") == 0 || strcmp(name, "world") == 0) return true;
  for (int i = 0; i < model_math_function_count; i++)
    if (strcmp(model_math_functions[i].name, name) == 0) return true;
  return false;
}

void model_scope_declare(model_scope* s, model_entry* e)
{
  if (is_reserved(e->name)) {
    base_error(s->notes, e->place, "`%s` is a word of the language and cannot be declared",
               e->name);
    base_help(s->notes, "choose another name, such as `%s1`", e->name);
    return;
  }
  model_entry* old = model_names_find(&s->names, e->name);
  if (!old) {
    model_names_add(&s->names, e);
    return;
  }
  base_error(s->notes, e->place, "`%s` is declared twice", e->name);
  base_info(s->notes, old->place, "`%s` was first declared here, as %s", old->name,
            model_sort_text(old));
}

// the line of the model a note shows, `    3 | coord x`; null where it shows none
static const char* shown_line(const char* note)
{
  const char* line = strchr(note, '\n');
  if (!line) return NULL;
  line += 1 + strspn(line + 1, " ");
  size_t digits = strspn(line, "0123456789");
  return digits > 0 && strncmp(line + digits, " | ", 3) == 0 ? line + digits + 3 : NULL;
}

// a declaration that could not be read may be where the name comes from
static bool may_be_lost(const model_scope* s, const char* name)
{
  size_t n = strlen(name);
  for (int i = 0, seen = 0; i < base_notes_count(s->notes) && seen < s->errors_before; i++) {
    if (base_notes_level(s->notes, i) != BASE_ERROR) continue;
    seen++;
    const char* text = shown_line(base_notes_text(s->notes, i));
    for (const char* at = text ? strstr(text, name) : NULL; at; at = strstr(at + 1, name)) {
      bool starts = at == text || base_utf8_name_part(at - 1, 1) == 0;
      if (starts && base_utf8_name_part(at + n, strlen(at + n)) == 0) return true;
    }
  }
  return false;
}

// the coordinate x of a name such as xdot, x_dot or dx
static const model_entry* rate_of(model_scope* s, const char* name)
{
  static const char* const ends[] = {"_dot", "dot", "_prime", "_t", "d"};
  char stem[64];
  const size_t n = strlen(name);
  if (n >= sizeof stem) return NULL;
  for (size_t i = 0; i <= sizeof ends / sizeof *ends; i++) {
    const bool front = i == sizeof ends / sizeof *ends; // dx
    const size_t k = front ? 1 : strlen(ends[i]);
    if (n <= k || (front ? *name != 'd' : strcmp(name + n - k, ends[i]) != 0)) continue;
    memcpy(stem, name + (front ? 1 : 0), n - k);
    stem[n - k] = 0;
    const model_entry* e = model_names_find(&s->names, stem);
    if (e && e->sort == MODEL_IS_COORD) return e;
  }
  return NULL;
}

// words that are the same again and again are said to so many errors
enum { EXPLAINED = 5 };

// what there is, where nothing is like the name
static void list_some(model_scope* s, const char* const* word, int count)
{
  enum { most = 8 };
  base_text text = {0};
  for (int i = 0; i < count && i < most; i++)
    base_text_printf(&text, "%s`%s`", i ? ", " : "", word[i]);
  if (count)
    base_help(s->notes, "there %s %s%s", count > 1 ? "are" : "is", text.at,
              count > most ? ", ..." : "");
  base_text_free(&text);
}

// names up to this long are looked through for factors: mgl
enum { GLUED = 12 };

// the name as a product of names that are known, the longest first; false: it is none
static bool split(model_scope* s, const char* name, base_text* out)
{
  char head[GLUED + 1];
  for (size_t n = strlen(name); n > 0; n--) {
    memcpy(head, name, n);
    head[n] = 0;
    const model_entry* e = model_names_find(&s->names, head);
    if (!e || !((1 << e->sort) & (1 << MODEL_IS_COORD | 1 << MODEL_IS_PARAM))) continue;
    const size_t before = out->n;
    base_text_printf(out, "%s%s", before ? "*" : "", head);
    if (!name[n] || split(s, name + n, out)) return true;
    out->n = before;
    out->at[before] = 0;
  }
  return false;
}

// letters side by side that were meant as a product; whether something was said
static bool suggest_product(model_scope* s, const char* name)
{
  base_text product = {0};
  const bool found = strlen(name) <= GLUED && split(s, name, &product);
  if (found) base_help(s->notes, "a product is written with stars: %s", product.at);
  base_text_free(&product);
  return found;
}

static void suggest(model_scope* s, const char* name, const model_entries* from, int sorts)
{
  BASE_LIST(const char*) words = {0};
  for (int i = 0; i < from->n; i++) {
    const model_entry* e = from->at[i];
    if (sorts & (1 << e->sort) && e->sort <= MODEL_IS_CONSTRAINT) base_push(&words, e->name);
  }
  if (sorts & (1 << MODEL_IS_FRAME)) base_push(&words, "world");
  if (sorts == MODEL_ANY_SORT)
    for (int i = 0; i < model_function_count(); i++) base_push(&words, model_function_at(i)->name);
  const char* near = base_nearest(name, words.at, words.n);
  const model_entry* rated = rate_of(s, name);
  const bool explain = base_notes_errors(s->notes) <= EXPLAINED;
  if (rated && sorts & (1 << MODEL_IS_COORD))
    base_help(s->notes, "a rate is written with a prime: %s'", rated->name);
  else if (near)
    base_help(s->notes, "did you mean `%s`?", near);
  else if (explain && sorts == MODEL_ANY_SORT)
    base_help(s->notes,
              "say what it is: `param %s = ...` is a constant, `coord %s` a coordinate, "
              "`let %s = ...` an expression",
              name, name, name);
  else if (explain)
    list_some(s, words.at, words.n);
  base_list_free(&words);
}

// names that others know without being told
static const char* known_elsewhere(const char* name)
{
  static const char* const names[][2] = {
      {"\u03C0", "the number is written pi"},
      {"Pi", "the number is written pi"},
      {"PI", "the number is written pi"},
      {"e", "powers of e are written exp(x)"},
      {"g", "say what it is: param g = 9.81 [m/s^2]"},
      {"inf", "a run ends at a time, or where an event stops it: event hit: x = 0 stop"},
      {"infinity", "a run ends at a time, or where an event stops it: event hit: x = 0 stop"},
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], name) == 0) return names[i][1];
  return NULL;
}

// declared under a name that it may not have, which was said
static bool was_refused(const model_scope* s, const char* name, int sorts)
{
  if (!is_reserved(name)) return false;
  for (int i = 0; i < s->entries.n; i++)
    if (sorts & (1 << s->entries.at[i]->sort) && strcmp(s->entries.at[i]->name, name) == 0)
      return true;
  return false;
}

// beyond this many errors no more suggestions are looked for
enum { SUGGESTIONS = 100 };

void model_scope_unknown(model_scope* s, const char* what, const char* name, base_place place,
                         int sorts)
{
  if (s->errors_before && may_be_lost(s, name)) return;
  if (was_refused(s, name, sorts | 1 << MODEL_IS_BODY)) return;
  // a drive is along a coordinate, and declares nothing
  const char* source = place.file >= 0 ? base_notes_source_name(s->notes, place.file) : "";
  if (sorts == MODEL_ANY_SORT && strcmp(source, "--drive") == 0) {
    what = "coordinate";
    sorts = 1 << MODEL_IS_COORD;
  }
  base_error(s->notes, place, "unknown %s `%s`", what, name);
  if (base_notes_errors(s->notes) > SUGGESTIONS) return;
  // the name may exist, but as something else
  model_entry* e = model_names_find(&s->names, name);
  if (e)
    base_help(s->notes, "`%s` is %s", name, model_sort_text(e));
  else if (sorts == MODEL_ANY_SORT && known_elsewhere(name))
    base_help(s->notes, "%s", known_elsewhere(name));
  else if (sorts != MODEL_ANY_SORT || !suggest_product(s, name))
    suggest(s, name, &s->entries, sorts);
}

void model_scope_unknown_constraint(model_scope* s, const char* name, base_place place)
{
  if (s->errors_before && may_be_lost(s, name)) return;
  base_error(s->notes, place, "there is no constraint `%s`", name);
  if (base_notes_errors(s->notes) <= SUGGESTIONS)
    suggest(s, name, &s->constraints, 1 << MODEL_IS_CONSTRAINT);
}

model_entry* model_scope_frame(model_scope* s, lang_word word)
{
  if (!word.text || strcmp(word.text, "world") == 0) return s->world;
  model_entry* e = model_names_find(&s->names, word.text);
  int frames = 1 << MODEL_IS_FRAME | 1 << MODEL_IS_BODY;
  if (!e) {
    model_scope_unknown(s, "frame", word.text, word.place, frames);
    return NULL;
  }
  if (e->sort == MODEL_IS_UNSUPPORTED || e->poisoned) return NULL;
  if (!(frames & (1 << e->sort))) {
    base_error(s->notes, word.place, "`%s` is %s, not a frame", word.text, model_sort_text(e));
    return NULL;
  }
  if (e->turns) {
    base_error(s->notes, word.place,
               "`%s` turns in its frame by a law of its own, so its axes are "
               "not known",
               word.text);
    base_help(s->notes, "declare a frame that turns with it");
    return NULL;
  }
  return e;
}
