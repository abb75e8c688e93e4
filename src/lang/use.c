// `use "other.zw"`: another file, relative to the one that says so, never outside the model's
// folder. `use std "wheels"`: parts that come with the program.
#include "lang/library.h"
#include "lang/reader.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool is_inside(const char* path, const char* folder)
{
  size_t n = strlen(folder);
  if (strncmp(path, folder, n) != 0) return false;
  // the folder "/" already ends in its slash
  return path[n] == '/' || path[n] == 0 || (n > 0 && folder[n - 1] == '/');
}

// does the path, walked name by name from a folder `depth` below the root, ever climb above it?
static bool climbs_out(const char* path, int depth)
{
  while (*path) {
    size_t n = strcspn(path, "/");
    if (n == 2 && memcmp(path, "..", 2) == 0)
      depth--;
    else if (n > 0 && !(n == 1 && path[0] == '.'))
      depth++;
    if (depth < 0) return true;
    path += n;
    path += *path == '/';
  }
  return false;
}

static int depth_below(const char* folder, const char* root)
{
  int depth = 0;
  const char* rest = folder + strlen(root);
  for (; *rest; rest++)
    if (*rest != '/' && (rest == folder + strlen(root) || rest[-1] == '/')) depth++;
  return depth;
}

static const lang_file* find(const lang_reader* r, const char* path)
{
  for (int i = 0; i < r->files.n; i++)
    if (strcmp(r->files.at[i].path, path) == 0) return &r->files.at[i];
  return NULL;
}

// how the file is called in messages: beside the one that says `use`
static char* shown_name(lang_parser* p, const char* path)
{
  const char* mine = base_notes_source_name(p->notes, p->source.file);
  const char* slash = strrchr(mine, '/');
  int n = slash ? (int)(slash - mine) + 1 : 0;
  return base_arena_printf(p->arena, "%.*s%s", n, mine, path);
}

// a file that is being taken in; -1 with an error noted
static int open_file(lang_parser* p, const char* path, base_place place)
{
  lang_reader* r = p->reader;
  if (r->files.n >= r->limits->files) {
    lang_parser_fail(p, place, "more than %d files are taken in", r->limits->files);
    return -1;
  }
  base_push(
      &r->files,
      (lang_file){.path = base_arena_strdup(r->arena, path), .open = true, .by = p->source.file});
  return r->files.n - 1;
}

// all of it was read, and its statements are those from this one on
static void close_file(lang_reader* r, int file, int from)
{
  lang_file* f = &r->files.at[file];
  f->open = false;
  for (int i = from; i < r->statements.n && !f->more; i++) {
    const lang_statement* s = r->statements.at[i];
    f->more = s->kind != LANG_FUNCTION && s->kind != LANG_TABLE;
    f->first = s->place;
  }
}

static bool has_room(lang_parser* p, const char* path, base_place place, size_t length)
{
  const lang_reader* r = p->reader;
  if (length <= r->limits->file_bytes - r->bytes) return true;
  lang_parser_fail(p, place, "with `%s` the model is larger than the limit of %zu bytes", path,
                   r->limits->file_bytes);
  return false;
}

static void take_in(lang_parser* p, const char* path, const char* real, base_place place)
{
  lang_reader* r = p->reader;
  const int file = open_file(p, real, place), from = r->statements.n;
  if (file < 0) return;
  size_t length;
  const char* why;
  char* text = base_file_read(real, r->limits->file_bytes, &length, &why);
  if (!text) {
    r->files.at[file].by = -1; // that was said, and is no use
    lang_parser_fail(p, place, "cannot read `%s`: %s", path, why);
  } else if (has_room(p, path, place, length)) {
    char* folder = base_arena_strdup(r->arena, real);
    char* slash = strrchr(folder, '/');
    assert(slash);
    slash[slash == folder] = 0;
    lang_reader_text(r, shown_name(p, path), text, length, folder);
  }
  close_file(r, file, from);
  free(text);
}

// the real path of a file in the folder of the model, to be freed; null with an error noted
static char* find_inside(lang_parser* p, const char* path, base_place place)
{
  const lang_reader* r = p->reader;
  if (path[0] == '/' || climbs_out(path, depth_below(p->folder, r->root))) {
    if (lang_parser_fail(p, place, "`%s` is outside the folder of the model", path))
      base_help(p->notes, "only files in that folder and below can be used");
    return NULL;
  }
  char* joined = base_arena_printf(p->arena, "%s/%s", p->folder, path);
  char* real = base_file_real(joined);
  if (!real) {
    const char* why = errno == ENOENT ? "there is no such file" : strerror(errno);
    lang_parser_fail(p, place, "cannot read `%s`: %s", path, why);
    return NULL;
  }
  // a link may lead out
  if (is_inside(real, r->root)) return real;
  if (lang_parser_fail(p, place, "`%s` leads outside the folder of the model", path))
    base_help(p->notes, "only files in that folder and below can be used");
  free(real);
  return NULL;
}

// may this text name files at all?
static bool may_name(lang_parser* p, const char* path, base_place place)
{
  if (!path || lang_parser_failed(p)) return false;
  if (!p->folder)
    lang_parser_fail(p, place, "this text is not a file, so it cannot use others");
  else if (!*path)
    lang_parser_fail(p, place, "expected the name of a file in the quotes");
  return !lang_parser_failed(p);
}

const char* lang_use_data(lang_parser* p, const char* path, base_place place, size_t* bytes)
{
  lang_reader* r = p->reader;
  char* real = may_name(p, path, place) ? find_inside(p, path, place) : NULL;
  if (!real) return NULL;
  const char* why = "the model is larger than what may be read";
  const size_t left = r->limits->file_bytes - r->bytes;
  char* data = left > 0 ? base_file_read(real, left, bytes, &why) : NULL;
  free(real);
  if (!data) {
    lang_parser_fail(p, place, "cannot read `%s`: %s", path, why);
    return NULL;
  }
  r->bytes += *bytes;
  char* kept = base_arena_take(p->arena, *bytes + 1);
  memcpy(kept, data, *bytes);
  free(data);
  return kept;
}

// a file that was taken in before
static void again(lang_parser* p, const char* path, const lang_file* known, base_place place)
{
  if (known->open) {
    if (lang_parser_fail(p, place, "`%s` takes in itself", path))
      base_help(p->notes, "no file may use itself, directly or through others");
  } else if (known->by == p->source.file && known->more) {
    const base_place first = known->first;
    if (!lang_parser_fail(p, place,
                          "`%s` is taken in a second time, and holds more than parts and "
                          "functions",
                          path))
      return;
    base_info(p->notes, first, "this would be there twice");
    base_help(p->notes, "name it once; what is to be there several times is a `part`");
  } else if (known->by == p->source.file) {
    base_info(p->notes, place, "`%s` is named a second time; it is taken in once", path);
  }
}

static void resolve(lang_parser* p, const char* path, base_place place)
{
  char* real = find_inside(p, path, place);
  if (!real) return;
  const lang_file* known = find(p->reader, real);
  if (known)
    again(p, path, known, place);
  else
    take_in(p, path, real, place);
  free(real);
}

// ---- std ----------------------------------------------------------------------------------------

static void take_library(lang_parser* p, const lang_library_file* f, base_place place)
{
  lang_reader* r = p->reader;
  const char* path = base_arena_printf(p->arena, "std/%s", f->name);
  if (find(r, path)) return; // parts alone: without harm
  const size_t length = strlen(f->text);
  const int file = has_room(p, path, place, length) ? open_file(p, path, place) : -1;
  if (file < 0) return;
  const int from = r->statements.n;
  lang_reader_text(r, path, f->text, length, NULL);
  close_file(r, file, from);
}

// behind `std`: the name of a file in quotes, or nothing for all of them
static void use_library(lang_parser* p)
{
  const base_place place = lang_parser_place(p);
  const char* name = p->now.kind == TOKEN_STRING ? lang_parser_string(p) : NULL;
  if (lang_parser_failed(p) || !p->reader) return;
  bool found = false;
  for (const lang_library_file* f = lang_library; f->name; f++) {
    if (name && strcmp(f->name, name) != 0) continue;
    found = true;
    take_library(p, f, place);
  }
  if (found || !lang_parser_fail(p, place, "no parts `%s` come with the program", name)) return;
  const char* words[64];
  int n = 0;
  for (; lang_library[n].name && n < 64; n++) words[n] = lang_library[n].name;
  const char* near = base_nearest(name, words, n);
  if (near)
    base_help(p->notes, "did you mean `%s`?", near);
  else
    base_help(p->notes, "`zwang parts` lists them");
}

void lang_use(lang_parser* p)
{
  p->usage = "use \"other.zw\"  or  use std \"wheels\"";
  lang_parser_advance(p);
  const base_place place = lang_parser_place(p);
  if (lang_parser_accept_word(p, "std")) {
    use_library(p);
    return;
  }
  const char* path = lang_parser_string(p);
  if (may_name(p, path, place)) resolve(p, path, place);
}
