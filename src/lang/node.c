// Nodes of a tree while it grows: made, joined, and kept from growing too high.
#include "lang/node.h"

#include <string.h>

lang_part lang_node_grown(lang_parser* p, lang_node* node, int height)
{
  if (height > p->limits->nesting) {
    bool told = lang_parser_fail(p, node->place, "the expression is more than %d operations deep",
                                 p->limits->nesting);
    if (told) base_help(p->notes, "name a part of it with `let`");
  }
  return (lang_part){node, height};
}

lang_node* lang_node_leaf(lang_parser* p, lang_kind kind, base_place place)
{
  lang_node* node = base_arena_take(p->arena, sizeof *node);
  node->kind = kind;
  node->place = place;
  return node;
}

void lang_node_adopt(lang_parser* p, lang_node* node, lang_node** kids, int n)
{
  if (n == 0) return;
  node->n = n;
  node->kid = base_arena_take(p->arena, (size_t)n * sizeof *kids);
  memcpy(node->kid, kids, (size_t)n * sizeof *kids);
}

lang_part lang_node_over(lang_parser* p, lang_kind kind, base_place place, lang_part x)
{
  // after an error nothing is built: parts may be missing
  if (lang_parser_failed(p)) return x;
  lang_node* node = lang_node_leaf(p, kind, place);
  lang_node_adopt(p, node, &x.node, 1);
  return lang_node_grown(p, node, x.height + 1);
}

lang_part lang_node_binary(lang_parser* p, lang_op op, lang_part a, lang_part b)
{
  if (lang_parser_failed(p)) return a;
  lang_node* node = lang_node_leaf(p, LANG_BINARY, base_place_join(a.node->place, b.node->place));
  node->op = op;
  lang_node_adopt(p, node, (lang_node*[]){a.node, b.node}, 2);
  return lang_node_grown(p, node, 1 + (a.height > b.height ? a.height : b.height));
}

bool lang_node_negate(lang_node* n)
{
  static const lang_op other[] = {[LANG_LT] = LANG_GE, [LANG_LE] = LANG_GT,  [LANG_GT] = LANG_LE,
                                  [LANG_GE] = LANG_LT, [LANG_AND] = LANG_OR, [LANG_OR] = LANG_AND};
  if (n->kind != LANG_BINARY || n->op < LANG_LT) return false;
  const bool joins = n->op >= LANG_AND;
  n->op = other[n->op];
  return !joins || (lang_node_negate(n->kid[0]) && lang_node_negate(n->kid[1]));
}

lang_part lang_node_number(lang_parser* p, base_place place, const char* text, size_t n)
{
  lang_node* node = lang_node_leaf(p, LANG_NUMBER, place);
  node->text = base_arena_strndup(p->arena, text, n);
  return (lang_part){node, 1};
}
