// block: the inside of a stage or of an event's braces.
#pragma once

#include "lang/parser.h"

void lang_block_read(lang_parser* p, lang_block* b);
