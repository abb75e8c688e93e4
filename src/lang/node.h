// Nodes of a tree while it grows, with their height. Private to lang.
#pragma once

#include "lang/parser.h"

// a node and how high the tree under it is
typedef struct lang_part
{
  lang_node* node;
  int height;
} lang_part;

lang_part lang_node_grown(lang_parser* p, lang_node* node, int height);
lang_node* lang_node_leaf(lang_parser* p, lang_kind kind, base_place place);
void lang_node_adopt(lang_parser* p, lang_node* node, lang_node** kids, int n);
lang_part lang_node_over(lang_parser* p, lang_kind kind, base_place place, lang_part x);
lang_part lang_node_binary(lang_parser* p, lang_op op, lang_part a, lang_part b);
// a comparison, or a value alone; comparisons that are joined
lang_part lang_expression_compared(lang_parser* p);
lang_part lang_condition_read(lang_parser* p);
// the opposite of comparisons; false where it is none
bool lang_node_negate(lang_node* n);
lang_part lang_node_number(lang_parser* p, base_place place, const char* text, size_t n);
