// Systems of the paths written out for problems: all of them in the coordinates of one frame.
#include "least/stationary_paths.h"

#include <string.h>

// w of the problem = R (origin + T x) + shift; without a passage it is the w of the frame
static void place(const least_stationary_paths* h, const path_passage* y, path_place* at)
{
  const least_stationary_frame* q = &h->q;
  const int l = q->l, n = h->n;
  memcpy(at->T, q->T, sizeof at->T);
  memcpy(at->origin, q->origin, sizeof at->origin);
  if (!y) return;
  for (int i = 0; i < l; i++) {
    at->origin[i] = y->shift[i];
    for (int a = 0; a < n; a++) at->T[i * n + a] = 0;
    for (int j = 0; j < l; j++) {
      at->origin[i] += y->R[i * l + j] * q->origin[j];
      for (int a = 0; a < n; a++) at->T[i * n + a] += y->R[i * l + j] * q->T[j * n + a];
    }
  }
}

// T^T H T and T^T (H origin - r) over unit^2
static void add_quadratic(const least_stationary_paths* h, path_system* s, const path_place* at,
                          cx weight)
{
  const int l = h->q.l, n = h->n;
  const double unit = h->q.unit * h->q.unit * h->pull_unit;
  double HT[STATIONARY_L * STATIONARY_L], g[STATIONARY_L];
  for (int i = 0; i < l; i++) {
    const double* H = at->p->H + i * l;
    g[i] = -at->p->r[i];
    for (int j = 0; j < l; j++) g[i] += H[j] * at->origin[j];
    for (int a = 0; a < n; a++) {
      HT[i * n + a] = 0;
      for (int j = 0; j < l; j++) HT[i * n + a] += H[j] * at->T[j * n + a];
    }
  }
  for (int i = 0; i < l; i++)
    for (int a = 0; a < n; a++) {
      const double t = at->T[i * n + a] / unit;
      s->o[a] += weight * (t * g[i]);
      for (int b = 0; b < n; b++) s->S[a * n + b] += weight * (t * HT[i * n + b]);
    }
}

static void write_forms(least_stationary_paths* h, path_system* s, int part, const path_place* at)
{
  const path_monomials* k = &h->monomials;
  for (int j = 0; j < h->m; j++) {
    const int row = h->q.index[j], d = h->degree[j];
    const int room = k->count[d - 2] * (k->M * (k->M + 1) / 2);
    double** second = &s->second[part][j];
    if (s->room[part][j] < room) {
      *second = base_realloc(*second, sizeof(double) * (size_t)room);
      s->room[part][j] = room;
    }
    least_stationary_form_make(k, at, at->p->polynomial + row, d, 1 / h->q.size[row], *second);
  }
}

void least_stationary_paths_write(least_stationary_paths* h, path_system* s, int parts,
                                  const least_stationary_problem* p, const path_passage* y)
{
  path_place at;
  place(h, y, &at);
  s->parts = parts;
  memset(s->S, 0, sizeof s->S);
  memset(s->o, 0, sizeof s->o);
  for (int part = 0; part < parts; part++) {
    at.p = p + part;
    add_quadratic(h, s, &at, part ? _Complex_I : 1);
    write_forms(h, s, part, &at);
  }
}

void least_stationary_paths_write_target(least_stationary_paths* h)
{
  path_place at;
  place(h, NULL, &at);
  at.p = h->q.p;
  h->target.parts = 1;
  write_forms(h, &h->target, 0, &at);
  for (int a = 0; a < h->n; a++) {
    for (int b = 0; b < h->n; b++) h->target.S[a * h->n + b] = a == b ? 1 / h->pull_unit : 0;
    h->target.o[a] = h->pull[a];
  }
}
