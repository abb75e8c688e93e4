// The shape of a model as sections of labelled formulas, which every style prints.
#pragma once

#include "out/out.h"

typedef struct out_formula
{
  const char* key;   // of JSON: "1212"
  const char* text;  // "R_1212"
  const char* latex; // "R_{1212}"
  expr value;        // with abbreviations
} out_formula;

typedef struct out_section
{
  const char* key;   // of JSON: "riemann"
  const char* title; // "Riemann tensor"
  const char* none;  // what is said where every entry is zero
  int count;
  out_formula* formula; // only entries that are not zero
} out_section;

typedef struct out_sheet
{
  base_arena* arena;
  const out_geometry* what;
  int abbreviations;
  mech_equation* abbreviation;
  int sections;
  out_section* section;
  int notes; // whole sentences on what the metric is
  const char** note;
} out_sheet;

out_sheet* out_sheet_new(const mech_system* s, const out_geometry* g);
void out_sheet_free(out_sheet* h);
// indices from 1, joined as they are read: "1212", or "1,2,1,12" beyond nine coordinates
const char* out_sheet_index(base_arena* arena, int n, int count, const int* index);
// "x = 1, y = 2" of the space's coordinates
char* out_sheet_point(const geom_space* s, const double* q, int digits);

// a grid on the box of an embedding
enum { OUT_GRID = 33 };
double out_grid(const geom_embedding* e, int coord, int k);
// b of a hypersurface at the point asked for, n by n; false where there is none
bool out_second(const out_geometry* g, double* b);

// what can be reached: growth vector and degree of nonholonomy, where they change along the run
struct json_t;
void out_reach_text(const out_geometry* g, base_text* out);
struct json_t* out_reach_json(const out_geometry* g);
// growth vectors along a run, or (time null) at the point that `where` names
void out_reach_along_text(const geom_reach* r, const double* time, const char* where,
                          base_text* out);
struct json_t* out_reach_along_json(const geom_reach* r, const double* time);

// the kind of the space: geometry_shape.c
void out_shape_text(const out_geometry* g, base_text* out);
void out_shape_json(const out_geometry* g, struct json_t* o);
// geodesics: geometry_geodesic.c
void out_geodesic_text(const out_geometry* g, base_text* out);
struct json_t* out_geodesic_json(const out_geometry* g);
void out_geodesic_script(const out_geometry* g, base_text* out);

void out_geometry_text(const out_sheet* h, base_text* out);
void out_geometry_latex(const out_sheet* h, base_text* out);
void out_geometry_json(const out_sheet* h, base_text* out);
