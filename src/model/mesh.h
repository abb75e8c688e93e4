// mesh: a closed mesh of triangles and what it encloses.
#pragma once

#include "base/base.h"

typedef struct model_mesh
{
  int triangles;
  double (*corner)[3]; // three to each
  int places;          // different ones
  int* first;          // one corner at each place
  double volume, centre[3];
  double J[6]; // xx yy zz xy xz yz about the centre, of density one
} model_mesh;

// null, or what is wrong; the data end with a zero byte
const char* model_mesh_read(const char* data, size_t bytes, base_arena* arena, model_mesh* out);
const char* model_mesh_integrate(model_mesh* m);
