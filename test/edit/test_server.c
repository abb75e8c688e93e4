// The language server as an editor meets it: messages in, messages out.
#include "check.h"
#include "edit/edit.h"

#include <glob.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static edit_server* server;
static int last_id;

// the messages that come back, as a list
static json_t* tell(json_t* message)
{
  char* text = json_dumps(message, 0);
  char* lines = edit_server_take(server, text, strlen(text));
  json_t* list = json_array();
  for (char *line = lines, *end; (end = strchr(line, '\n')); line = end + 1)
    json_array_append_new(list, json_loadb(line, (size_t)(end - line), 0, NULL));
  free(lines);
  (free)(text); // of the JSON library
  json_decref(message);
  return list;
}

// the answer to a request; `member`: "result" or "error"
static json_t* ask(const char* method, json_t* params, const char* member)
{
  json_t* list = tell(json_pack("{s:s, s:i, s:s, s:o}", "jsonrpc", "2.0", "id", ++last_id, "method",
                                method, "params", params));
  json_t* answer = json_array_get(list, 0);
  CHECK_INT((int)json_array_size(list), 1);
  CHECK_INT((int)json_integer_value(json_object_get(answer, "id")), last_id);
  json_t* found = json_incref(json_object_get(answer, member));
  CHECK(found != NULL);
  json_decref(list);
  return found;
}

static void begin(void)
{
  server = edit_server_new();
  json_decref(ask("initialize", json_object(), "result"));
}

static void end(void)
{
  int status;
  json_decref(ask("shutdown", json_null(), "result"));
  json_decref(tell(json_pack("{s:s, s:s}", "jsonrpc", "2.0", "method", "exit")));
  CHECK(edit_server_ended(server, &status));
  CHECK_INT(status, 0);
  edit_server_free(server);
}

// the faults that are told when a text is opened
static json_t* open_text(const char* text)
{
  json_t* list = tell(json_pack("{s:s, s:s, s:{s:{s:s, s:s}}}", "jsonrpc", "2.0", "method",
                                "textDocument/didOpen", "params", "textDocument", "uri",
                                "file:///tmp/a%20b/model.zw", "text", text));
  json_t* params = json_object_get(json_array_get(list, 0), "params");
  json_t* faults = json_incref(json_object_get(params, "diagnostics"));
  CHECK(json_is_array(faults));
  json_decref(list);
  return faults;
}

static json_t* at(int line, int column)
{
  return json_pack("{s:{s:s}, s:{s:i, s:i}}", "textDocument", "uri", "file:///tmp/a%20b/model.zw",
                   "position", "line", line, "character", column);
}

static const char* word(const json_t* object, const char* member)
{
  const char* text = json_string_value(json_object_get(object, member));
  return text ? text : "";
}

static bool is_range(const json_t* range, int line, int from, int to)
{
  const json_t *a = json_object_get(range, "start"), *b = json_object_get(range, "end");
  return json_integer_value(json_object_get(a, "line")) == line &&
         json_integer_value(json_object_get(b, "line")) == line &&
         json_integer_value(json_object_get(a, "character")) == from &&
         json_integer_value(json_object_get(b, "character")) == to;
}

static const char pendulum[] = "model \"Pendulum\"\n"
                               "param l = 20 [cm] \"its length\", m = 2 [kg]\n"
                               "coord φ [rad]\n"
                               "kinetic m/2*l^2*φ'^2 # energy\n"
                               "potential -m*9.81*l*cos(φ)\n"
                               "initial φ = 1\n"
                               "run 0 .. 1\n";

TEST(a_fault_is_told_where_it_is_with_the_way_out)
{
  begin();
  json_t* faults =
      open_text("coord φ\nkinetic φ'^2/2\nforce φ = -teta\nrun 0 .. 1\nparam theta = 1\n");
  CHECK_INT((int)json_array_size(faults), 1);
  const json_t* one = json_array_get(faults, 0);
  // φ is one unit of UTF-16 and two bytes
  CHECK(is_range(json_object_get(one, "range"), 2, 11, 15));
  CHECK_INT((int)json_integer_value(json_object_get(one, "severity")), 1);
  CHECK(strstr(word(one, "message"), "teta") && strstr(word(one, "message"), "theta"));
  json_decref(faults);
  // mended, it is told that nothing is wrong
  faults = open_text(pendulum);
  CHECK_INT((int)json_array_size(faults), 0);
  json_decref(faults);
  end();
}

TEST(a_word_is_explained)
{
  begin();
  json_decref(open_text(pendulum));
  json_t* hover = ask("textDocument/hover", at(3, 12), "result"); // l in the kinetic energy
  const char* value = word(json_object_get(hover, "contents"), "value");
  CHECK(strstr(value, "20 [cm]") && strstr(value, "0.2 in SI") && strstr(value, "its length"));
  CHECK(is_range(json_object_get(hover, "range"), 3, 12, 13));
  json_decref(hover);
  hover = ask("textDocument/hover", at(4, 20), "result"); // cos
  CHECK(strstr(word(json_object_get(hover, "contents"), "value"), "cos(x)"));
  json_decref(hover);
  hover = ask("textDocument/hover", at(5, 2), "result"); // initial
  CHECK(strstr(word(json_object_get(hover, "contents"), "value"), "initial x' = 7"));
  json_decref(hover);
  hover = ask("textDocument/hover", at(3, 27), "result"); // in the comment
  CHECK(json_is_null(hover));
  json_decref(hover);
  end();
}

static bool offers(const json_t* list, const char* label)
{
  size_t i;
  json_t* item;
  json_array_foreach(list, i, item) if (strcmp(word(item, "label"), label) == 0) return true;
  return false;
}

TEST(words_are_offered_that_may_stand_there)
{
  begin();
  json_decref(open_text(pendulum));
  json_t* list = ask("textDocument/completion", at(6, 1), "result");
  CHECK(offers(list, "run") && offers(list, "constraint") && !offers(list, "sin"));
  json_decref(list);
  list = ask("textDocument/completion", at(4, 12), "result");
  CHECK(offers(list, "l") && offers(list, "φ") && offers(list, "sin") && !offers(list, "run"));
  json_decref(list);
  end();
}

TEST(declarations_and_mentions_are_found)
{
  begin();
  json_decref(open_text(pendulum));
  json_t* found = ask("textDocument/definition", at(4, 24), "result"); // φ
  CHECK(is_range(json_object_get(found, "range"), 2, 6, 7));
  json_decref(found);
  found = ask("textDocument/references", at(4, 24), "result");
  CHECK_INT((int)json_array_size(found), 4);
  json_decref(found);
  found = ask("textDocument/documentSymbol", at(0, 0), "result");
  CHECK_INT((int)json_array_size(found), 3);
  json_decref(found);
  end();
}

TEST(another_name_is_given_everywhere_or_refused)
{
  begin();
  json_decref(open_text(pendulum));
  json_t* params = at(4, 24);
  json_object_set_new(params, "newName", json_string("theta"));
  json_t* found = ask("textDocument/rename", params, "result");
  const json_t* edits =
      json_object_get(json_object_get(found, "changes"), "file:///tmp/a%20b/model.zw");
  CHECK_INT((int)json_array_size(edits), 4);
  json_decref(found);
  static const char* const taken[] = {"l", "2x", "", "a b", "t"};
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
    params = at(4, 24);
    json_object_set_new(params, "newName", json_string(taken[i]));
    found = ask("textDocument/rename", params, "error");
    CHECK(*word(found, "message"));
    json_decref(found);
  }
  end();
}

TEST(a_text_is_laid_out)
{
  begin();
  json_decref(open_text("coord  x\nkinetic x'^2 / 2\nfor i in 1..2 {\ncoord y[i]\n}\n"));
  json_t* edits = ask("textDocument/formatting", at(0, 0), "result");
  CHECK_INT((int)json_array_size(edits), 1);
  CHECK_TEXT(word(json_array_get(edits, 0), "newText"),
             "coord x\nkinetic x'^2/2\nfor i in 1..2 {\n  coord y[i]\n}\n");
  json_decref(edits);
  end();
}

TEST(what_is_no_message_does_no_harm)
{
  static const char* const messages[] = {"",
                                         "{",
                                         "[]",
                                         "{\"method\": 3}",
                                         "{\"id\": 1, \"method\": \"textDocument/hover\"}",
                                         "{\"method\": \"textDocument/didChange\", \"params\": {}}",
                                         "{\"id\": null, \"method\": \"nothing\"}"};
  begin();
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
    free(edit_server_take(server, messages[i], strlen(messages[i])));
  end();
}

// every model of the gallery, and what is left of it when its end is not written yet
TEST(models_being_written_are_understood_without_harm)
{
  const char* source = getenv("ZWANG_SOURCE");
  base_text pattern = {0};
  base_text_printf(&pattern, "%s/models/*.zw", source ? source : ".");
  glob_t files = {0};
  glob(pattern.at, 0, NULL, &files);
  base_text_free(&pattern);
  CHECK(files.gl_pathc > 100);
  begin();
  for (size_t i = 0; i < files.gl_pathc; i++) {
    size_t length;
    const char* why;
    char* text = base_file_read(files.gl_pathv[i], 1 << 20, &length, &why);
    json_t* faults = open_text(text);
    size_t k;
    json_t* fault;
    json_array_foreach(faults, k, fault)
    {
      CHECK(json_integer_value(json_object_get(fault, "severity")) > 1);
    }
    json_decref(faults);
    text[length / 2] = 0;
    json_t* beginning = json_string(text); // half a character is no text
    if (beginning) json_decref(open_text(text));
    json_decref(beginning);
    json_decref(ask("textDocument/hover", at(3, 3), "result"));
    free(text);
  }
  globfree(&files);
  end();
}
