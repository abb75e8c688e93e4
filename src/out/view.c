// The page of a moving picture: the viewer, which is the same for all, and the data of these runs.
#include "out/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "out/file.h"
#include "out/json_text.h"
#include "out/page_bundle.h"

// bytes of all equations together
enum { equations_most = 200000 };

int out_view_check(const char* path, base_notes* notes)
{
  const char* dot = strrchr(path, '.');
  if (!dot || (strcasecmp(dot, ".html") != 0 && strcasecmp(dot, ".htm") != 0)) {
    base_error(notes, BASE_NOWHERE, "a page is an HTML file; `%s` has another ending", path);
    base_help(notes, "use a name that ends in .html");
    return 1;
  }
  return out_file_check(path, notes) ? 0 : 2;
}

// ---- data ---------------------------------------------------------------------------------------

// A file as the reader is to know it: from the model's own folder on, which is the author's affair,
// and one that lies elsewhere by its name alone.
static const char* name_of(const out_view* v, int source)
{
  const char* slash = strrchr(v->source_name[0], '/');
  const size_t folder = slash ? (size_t)(slash - v->source_name[0]) + 1 : 0;
  const char* name = v->source_name[source];
  const char* last = strrchr(name, '/');
  if (strncmp(name, v->source_name[0], folder) == 0) return name + folder;
  return last ? last + 1 : name;
}

static json_t* sources_of(const out_view* v)
{
  json_t* list = json_array();
  for (int i = 0; i < v->sources; i++) {
    json_t* s = json_object();
    out_json_set(s, "name", out_json_string(name_of(v, i)));
    out_json_set(s, "text", out_json_string(v->source_text[i]));
    out_json_push(list, s);
  }
  return list;
}

static json_t* sets_of(const out_view* v)
{
  json_t* list = json_array();
  for (int i = 0; i < v->sets; i++) out_json_push(list, out_json_string(v->set[i]));
  return list;
}

static json_t* forms_of(const out_view* v)
{
  json_t* list = json_array();
  size_t room = equations_most;
  for (int i = 0; i < v->forms; i++)
    out_json_push(list, out_view_equations(v->system, v->form[i], &room));
  return list;
}

// the surface the representing point moves on, as a grid
static json_t* surface_of(const geom_embedding* e)
{
  enum { n = 96 };
  double* points = base_alloc(sizeof(double) * 3 * (n + 1) * (n + 1));
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++) {
      const double q[2] = {e->low[0] + (e->high[0] - e->low[0]) * i / n,
                           e->low[1] + (e->high[1] - e->low[1]) * j / n};
      geom_embedding_at(e, q, points + 3 * (i * (n + 1) + j), NULL, NULL);
    }
  json_t *j = json_object(), *names = json_array();
  out_json_set(j, "nu", json_integer(n));
  out_json_set(j, "nv", json_integer(n));
  out_json_set(j, "points", out_pack_floats(points, 3 * (n + 1) * (n + 1)));
  out_json_set(j, "how", out_json_string(e->how));
  for (int k = 0; k < 2; k++)
    out_json_push(names, out_json_string(e->s->m->coord[e->s->coord[k]].name));
  out_json_set(j, "coordinates", names);
  free(points);
  return j;
}

static json_t* data_of(const out_view* v, bool motion_only)
{
  json_t *j = json_object(), *runs = json_array();
  out_json_set(j, "version", json_integer(1));
  out_json_set(j, "title", out_json_string(v->system->model->title));
  out_json_set(j, "varied", v->runs->varied ? out_json_string(v->runs->varied) : json_null());
  if (!motion_only) {
    out_json_set(j, "sources", sources_of(v));
    out_json_set(j, "forms", forms_of(v));
    out_json_set(j, "sets", sets_of(v));
    out_json_set(j, "surface", v->embedding ? surface_of(v->embedding) : json_null());
  }
  for (int i = 0; i < v->runs->count; i++) out_json_push(runs, out_view_run(v, i));
  out_json_set(j, "runs", runs);
  return j;
}

void out_view_json(const out_view* v, bool motion_only, base_text* out)
{
  out_json_print(out, data_of(v, motion_only), false);
}

// ---- the page -----------------------------------------------------------------------------------

// `<` stands in JSON within strings alone; written as an escape it can open no tag and end no
// script
static void add_data(base_text* out, const base_text* json)
{
  for (size_t i = 0; i < json->n;) {
    const char* open = memchr(json->at + i, '<', json->n - i);
    const size_t n = open ? (size_t)(open - json->at) - i : json->n - i;
    base_text_addn(out, json->at + i, n);
    if (open) base_text_add(out, "\\u003c");
    i += n + (open != NULL);
  }
}

static void add_words(base_text* out, const char* words)
{
  for (; *words; words++) {
    if (*words == '<')
      base_text_add(out, "&lt;");
    else if (*words == '&')
      base_text_add(out, "&amp;");
    else
      base_text_addn(out, words, 1);
  }
}

// a viewer with marks in place of title and data
static void fill(base_text* page, const char* viewer, const char* title, const base_text* json)
{
  static const char title_mark[] = "@TITLE@", data_mark[] = "@DATA@";
  const char* at = strstr(viewer, title_mark);
  const char* data = at ? strstr(at, data_mark) : NULL;
  if (!data) return;
  base_text_addn(page, viewer, (size_t)(at - viewer));
  add_words(page, title);
  at += sizeof title_mark - 1;
  base_text_addn(page, at, (size_t)(data - at));
  add_data(page, json);
  base_text_add(page, data + sizeof data_mark - 1);
}

int out_view_write(const out_view* v, const char* path, base_notes* notes)
{
  base_text json = {0}, page = {0};
  out_view_json(v, false, &json);
  const char* title = v->system->model->title[0] ? v->system->model->title : "zwang";
  if (v->live)
    fill(&page, v->live, title, &json);
  else {
    base_text_addn(&page, out_page_head, out_page_head_length);
    add_words(&page, title);
    base_text_addn(&page, out_page_middle, out_page_middle_length);
    add_data(&page, &json);
    base_text_addn(&page, out_page_tail, out_page_tail_length);
  }
  const bool done = out_file_write(path, page.at, page.n, notes);
  base_text_free(&json);
  base_text_free(&page);
  return done ? 0 : 2;
}
