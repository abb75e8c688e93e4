// The language server protocol, version 3.17: requests are answered, notifications obeyed.
#include "edit/edit.h"

#include "edit/document.h"

#include <stdlib.h>
#include <string.h>

enum {
  most_documents = 1000,
  NOT_JSON = -32700,
  NO_METHOD = -32601,
  NOT_VALID = -32602,
  NOT_STARTED = -32002,
  WAS_SHUT = -32600
};

struct edit_server
{
  BASE_LIST(edit_document*) documents;
  bool started, shut, ended;
  base_text out; // what is to be sent
};

edit_server* edit_server_new(void)
{
  edit_server* s = base_alloc(sizeof *s);
  *s = (edit_server){0};
  return s;
}

void edit_server_free(edit_server* s)
{
  if (!s) return;
  for (int i = 0; i < s->documents.n; i++) edit_document_free(s->documents.at[i]);
  base_list_free(&s->documents);
  base_text_free(&s->out);
  free(s);
}

bool edit_server_ended(const edit_server* s, int* status)
{
  *status = s->shut ? 0 : 1;
  return s->ended;
}

// ---- sending ------------------------------------------------------------------------------------

static int append(const char* text, size_t n, void* out)
{
  base_text_addn(out, text, n);
  return 0;
}

static void send(edit_server* s, json_t* message)
{
  json_dump_callback(message, append, &s->out, JSON_COMPACT);
  base_text_add(&s->out, "\n");
  json_decref(message);
}

static void answer(edit_server* s, const json_t* id, json_t* result)
{
  send(s, json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result", result));
}

static void refuse(edit_server* s, const json_t* id, int code, const char* why)
{
  json_t* known = id ? json_incref((json_t*)id) : json_null();
  send(s, json_pack("{s:s, s:o, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", known, "error", "code",
                    code, "message", why));
}

// ---- documents ----------------------------------------------------------------------------------

static const char* uri_of(const json_t* params)
{
  return json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
}

static edit_document* find(const edit_server* s, const json_t* params)
{
  const char* uri = uri_of(params);
  for (int i = 0; uri && i < s->documents.n; i++)
    if (strcmp(s->documents.at[i]->uri, uri) == 0) return s->documents.at[i];
  return NULL;
}

// with the version of the text they belong to, where the editor counts: it may have sent a newer
// one meanwhile
static void tell_faults(edit_server* s, const edit_document* d, const json_t* params)
{
  json_t* faults = edit_answer_diagnostics(d);
  json_t* version = json_object_get(json_object_get(params, "textDocument"), "version");
  if (json_is_integer(version)) json_object_set(faults, "version", version);
  send(s, json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method",
                    "textDocument/publishDiagnostics", "params", faults));
}

static void set_text(edit_server* s, edit_document* d, const json_t* params, const json_t* text)
{
  if (!d || !json_is_string(text)) return;
  edit_document_set(d, json_string_value(text), json_string_length(text));
  tell_faults(s, d, params);
}

static void open_document(edit_server* s, const json_t* params)
{
  edit_document* d = find(s, params);
  if (!d && uri_of(params) && s->documents.n < most_documents) {
    d = edit_document_new(uri_of(params));
    base_push(&s->documents, d);
  }
  set_text(s, d, params, json_object_get(json_object_get(params, "textDocument"), "text"));
}

// texts come as a whole, the last one counts
static void change_document(edit_server* s, const json_t* params)
{
  const json_t* changes = json_object_get(params, "contentChanges");
  const size_t n = json_array_size(changes);
  if (n)
    set_text(s, find(s, params), params, json_object_get(json_array_get(changes, n - 1), "text"));
}

static void close_document(edit_server* s, const json_t* params)
{
  for (int i = 0; i < s->documents.n; i++) {
    if (s->documents.at[i] != find(s, params)) continue;
    send(s, json_pack("{s:s, s:s, s:{s:s, s:[]}}", "jsonrpc", "2.0", "method",
                      "textDocument/publishDiagnostics", "params", "uri", s->documents.at[i]->uri,
                      "diagnostics"));
    edit_document_free(s->documents.at[i]);
    s->documents.at[i] = s->documents.at[--s->documents.n];
    return;
  }
}

// ---- requests -----------------------------------------------------------------------------------

static json_t* capabilities(void)
{
  return json_pack("{s:{s:i, s:b, s:b, s:b, s:b, s:b, s:{}, s:{s:b}}, s:{s:s}}", "capabilities",
                   "textDocumentSync", 1, "hoverProvider", 1, "definitionProvider", 1,
                   "referencesProvider", 1, "documentSymbolProvider", 1,
                   "documentFormattingProvider", 1, "completionProvider", "renameProvider",
                   "prepareProvider", 1, "serverInfo", "name", "zwang");
}

static const struct
{
  const char* method;
  json_t* (*of_place)(const edit_document* d, size_t at);
  json_t* (*of_text)(const edit_document* d);
} questions[] = {
    {"textDocument/hover", edit_answer_hover, NULL},
    {"textDocument/completion", edit_answer_completion, NULL},
    {"textDocument/definition", edit_answer_definition, NULL},
    {"textDocument/references", edit_answer_references, NULL},
    {"textDocument/prepareRename", edit_change_prepare, NULL},
    {"textDocument/documentSymbol", NULL, edit_answer_symbols},
    {"textDocument/formatting", NULL, edit_answer_layout},
};

static void rename_in(edit_server* s, const json_t* id, const json_t* params,
                      const edit_document* d, size_t at)
{
  const char *name = json_string_value(json_object_get(params, "newName")), *reason;
  json_t* edits = edit_change_name(d, at, name ? name : "", &reason);
  if (edits)
    answer(s, id, edits);
  else
    refuse(s, id, NOT_VALID, reason);
}

static void ask(edit_server* s, const json_t* id, const char* method, const json_t* params)
{
  const edit_document* d = find(s, params);
  const size_t at = d ? edit_position_read(d, json_object_get(params, "position")) : 0;
  if (strcmp(method, "textDocument/rename") == 0 && d) {
    rename_in(s, id, params, d, at);
    return;
  }
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    if (strcmp(method, questions[i].method) != 0) continue;
    if (!d)
      refuse(s, id, NOT_VALID, "this document is not open");
    else
      answer(s, id, questions[i].of_text ? questions[i].of_text(d) : questions[i].of_place(d, at));
    return;
  }
  refuse(s, id, NO_METHOD, "this is not known here");
}

static void take_request(edit_server* s, const json_t* id, const char* method, const json_t* params)
{
  if (strcmp(method, "initialize") == 0) {
    s->started = true;
    answer(s, id, capabilities());
  } else if (!s->started) {
    refuse(s, id, NOT_STARTED, "`initialize` comes first");
  } else if (s->shut) {
    refuse(s, id, WAS_SHUT, "`shutdown` was said");
  } else if (strcmp(method, "shutdown") == 0) {
    s->shut = true;
    answer(s, id, json_null());
  } else {
    ask(s, id, method, params);
  }
}

static void take_notice(edit_server* s, const char* method, const json_t* params)
{
  if (strcmp(method, "exit") == 0) s->ended = true;
  if (!s->started || s->shut) return;
  if (strcmp(method, "textDocument/didOpen") == 0) open_document(s, params);
  if (strcmp(method, "textDocument/didChange") == 0) change_document(s, params);
  if (strcmp(method, "textDocument/didClose") == 0) close_document(s, params);
}

char* edit_server_take(edit_server* s, const char* message, size_t length)
{
  json_t* m = json_loadb(message, length, JSON_ALLOW_NUL, NULL);
  const char* method = json_string_value(json_object_get(m, "method"));
  const json_t *id = json_object_get(m, "id"), *params = json_object_get(m, "params");
  if (!json_is_object(m))
    refuse(s, NULL, NOT_JSON, "this is no message");
  else if (method && id)
    take_request(s, id, method, params);
  else if (method)
    take_notice(s, method, params);
  json_decref(m);
  return base_text_take(&s->out);
}
