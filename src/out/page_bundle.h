// The viewer, made from web/page.html by tools/embed_page.py: what stands before the title, between
// title and data, and behind the data.
#pragma once

#include <stddef.h>

extern const char out_page_head[], out_page_middle[], out_page_tail[];
extern const size_t out_page_head_length, out_page_middle_length, out_page_tail_length;
