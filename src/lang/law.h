// law: constraints, initial equations, events, stages, resistances, surfaces and contacts.
#pragma once

#include "lang/parser.h"

// force.c: the vector of a force, true: it is that of a coordinate as knee.angle, read to its end
bool lang_law_force(lang_parser* p, lang_statement* s);
void lang_law_constraint(lang_parser* p, lang_statement* s);
void lang_law_initial(lang_parser* p, lang_statement* s);
void lang_law_event(lang_parser* p, lang_statement* s);
void lang_law_stage(lang_parser* p, lang_statement* s);
void lang_law_resist(lang_parser* p, lang_statement* s);
void lang_law_surface(lang_parser* p, lang_statement* s);
void lang_law_curve(lang_parser* p, lang_statement* s);
void lang_law_function(lang_parser* p, lang_statement* s);
void lang_law_bushing(lang_parser* p, lang_statement* s);
void lang_law_rope(lang_parser* p, lang_statement* s); // rope.c
void lang_law_couple(lang_parser* p, lang_statement* s);
void lang_law_joint(lang_parser* p, lang_statement* s);   // joint.c
void lang_law_contact(lang_parser* p, lang_statement* s); // roll and slide
void lang_law_beyond(lang_parser* p, lang_statement* s);
void lang_law_solids(lang_parser* p, lang_statement* s);  // contact and contacts (solid.c)
void lang_data_states(lang_parser* p, lang_statement* s); // data.c
void lang_data_rate(lang_parser* p, lang_statement* s);
void lang_data_sample(lang_parser* p, lang_statement* s);
void lang_data_table(lang_parser* p, lang_statement* s);
// behind `with`: restitution and friction of what can let go
void lang_law_with(lang_parser* p, lang_statement* s);
