// What a run goes on from, as bytes. Private to walk.
//
// One function names every number that the motion behind an instant depends on, and all that was
// counted up to it; by it they are written down and read back, so that the two cannot differ.
// Work space, factors, kernels and what a stepper remembers are not among them: whoever goes on has
// made them anew (checkpoint.h).
#pragma once

#include "walk/run.h"

typedef struct walk_image
{
  base_text* out; // written here; null: read
  const char* at;
  size_t left;
  bool fits; // what was read so far is as long as it has to be
} walk_image;

void walk_image_pass(walk_image* m, void* at, size_t bytes);
// a text in the arena of the track
void walk_image_text(walk_image* m, base_arena* arena, const char** text);
// the engine, with its parts
void walk_image_engine(walk_image* m, engine* e);
// what is known of happenings
void walk_image_watch(walk_image* m, walk_job* r);
// what a decision at an instant, and looking from there on, may change
void walk_image_decision(walk_image* m, walk_job* r);
// the run, beside its tables
void walk_image_job(walk_image* m, walk_job* r);

#define WALK_IMAGE(M, X) walk_image_pass(M, &(X), sizeof(X))
// of what is not there nothing is kept
#define WALK_IMAGE_ARRAY(M, AT, COUNT)                              \
  do {                                                              \
    if (AT) walk_image_pass(M, AT, sizeof *(AT) * (size_t)(COUNT)); \
  } while (0)
