// Random contact problems and the numbers they are made of, for the tests of contacts and impacts.
#pragma once

#include "cone/cone.h"

enum { make_n = 6, make_most = 5 }; // coordinates; contacts

typedef struct make_scene
{
  double M[make_n * make_n], F[make_n], N[make_most * make_n], T[2 * make_most * make_n],
      d[2 * make_most], mu[make_most], slip[2 * make_most], NB[make_n], dB[1];
} make_scene;

// from -1 to 1
static inline double make_unit(unsigned* seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (1 << 23) - 1;
}

// symmetric and positive definite, no eigenvalue below `least`
static inline void make_mass(unsigned* seed, int n, double least, double* M)
{
  double R[make_n * make_n];
  for (int i = 0; i < n * n; i++) R[i] = make_unit(seed);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      M[i * n + j] = i == j ? least : 0;
      for (int k = 0; k < n; k++) M[i * n + j] += R[i * n + k] * R[j * n + k];
    }
}

// one bilateral row, contacts with friction up to `rough`, some of which slip
static inline void make_contacts(unsigned* seed, make_scene* s, double rough)
{
  make_mass(seed, make_n, 0.5, s->M);
  for (int j = 0; j < make_n; j++) {
    s->F[j] = 3 * make_unit(seed);
    s->NB[j] = make_unit(seed);
  }
  s->dB[0] = make_unit(seed);
  for (int i = 0; i < make_most * make_n; i++) s->N[i] = make_unit(seed);
  for (int i = 0; i < 2 * make_most * make_n; i++) s->T[i] = make_unit(seed);
  for (int i = 0; i < 2 * make_most; i++) {
    s->d[i] = 0;
    s->slip[i] = i % 4 == 1 ? make_unit(seed) : 0;
  }
  for (int i = 0; i < make_most; i++) s->mu[i] = rough * (make_unit(seed) + 1) / 2;
}

static inline cone_contact_problem make_problem(const make_scene* s, int contacts, int tangents,
                                                bool slips)
{
  return (cone_contact_problem){.n = make_n,
                                .b = 1,
                                .contacts = contacts,
                                .tangents = tangents,
                                .M = s->M,
                                .F = s->F,
                                .N_B = s->NB,
                                .d_B = s->dB,
                                .N = s->N,
                                .d_N = s->d,
                                .T = s->T,
                                .d_T = s->d,
                                .mu = s->mu,
                                .slip = slips ? s->slip : NULL};
}
