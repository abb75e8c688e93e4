// A problem in general position: random complex numbers in the place of all that can be other than
// zero in the problems of a family. It has as many finite roots as any of them has isolated ones,
// and paths from its roots end in all of these (Morgan and Sommese 1989): far fewer paths than from
// products of linear forms, few of which lead to infinity.
//
// Problems in w itself keep their zeros, the general one has them too; problems in some basis of
// wider accelerations do not keep them, as the basis turns: the general one is full.
#include "least/stationary_paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct least_stationary_general
{
  bool made;    // for l, s and the monomials below
  bool useless; // its roots were not found: it is not asked again
  int l, s;
  least_stationary_problem part[2]; // real and imaginary
  double H[2][STATIONARY_L * STATIONARY_L], r[2][STATIONARY_L];
  least_polynomial polynomial[2][STATIONARY_L];
  least_monomial* term[2];
  int term_room;
  path_roots roots;
  uint64_t state; // of the random numbers
};

least_stationary_general* least_stationary_general_new(int l_max, int s_max)
{
  least_stationary_general* g = base_alloc(sizeof *g);
  g->roots = least_stationary_roots_new(l_max, s_max);
  return g;
}

void least_stationary_general_free(least_stationary_general* g)
{
  if (!g) return;
  free(g->term[0]);
  free(g->term[1]);
  least_stationary_roots_free(&g->roots);
  free(g);
}

void least_stationary_general_forget(least_stationary_general* g)
{
  g->made = g->useless = false;
  g->roots.count = 0;
}

int least_stationary_general_count(const least_stationary_general* g)
{
  return g->made ? g->roots.count : 0;
}

// ---- does it have all that a problem has? -------------------------------------------------------

static bool is_full(const least_stationary_problem* p)
{
  return p->wide != p->l && p->wide != 0;
}

static bool same_monomials(const least_stationary_general* g, const least_stationary_problem* p)
{
  if (!g->made || g->l != p->l || g->s != p->s) return false;
  for (int j = 0; j < p->s; j++) {
    const least_polynomial *a = p->polynomial + j, *b = g->polynomial[0] + j;
    if (a->terms != b->terms) return false;
    for (int t = 0; t < a->terms; t++)
      if (memcmp(a->term[t].power, b->term[t].power, sizeof a->term[t].power)) return false;
  }
  return true;
}

static bool has_all(const double* of, const double* real, int count)
{
  for (int i = 0; i < count; i++)
    if (of[i] != 0 && real[i] == 0) return false;
  return true;
}

bool least_stationary_general_covers(const least_stationary_general* g,
                                     const least_stationary_problem* p)
{
  if (!same_monomials(g, p) || !has_all(p->H, g->H[0], p->l * p->l) ||
      !has_all(p->r, g->r[0], p->l))
    return false;
  for (int j = 0; j < p->s; j++)
    for (int t = 0; t < p->polynomial[j].terms; t++)
      if (p->polynomial[j].term[t].c != 0 && g->polynomial[0][j].term[t].c == 0) return false;
  return true;
}

// ---- making it ----------------------------------------------------------------------------------

static double uniform(uint64_t* state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// a random complex number of the given size, unless there is a number already
static void choose(least_stationary_general* g, double size, double* real, double* imaginary)
{
  if (size == 0 || *real != 0) return;
  const double angle = 6.283185307179586 * uniform(&g->state),
               radius = size * (0.5 + uniform(&g->state));
  *real = radius * cos(angle);
  *imaginary = radius * sin(angle);
}

static void choose_quadratic(least_stationary_general* g, const least_stationary_problem* p)
{
  const int l = p->l;
  const bool full = is_full(p);
  double most = 0, most_r = 0;
  for (int i = 0; i < l; i++) {
    most = fmax(most, p->H[i * l + i]);
    most_r = fmax(most_r, fabs(p->r[i]));
  }
  for (int i = 0; i < l; i++) {
    choose(g, full ? most_r : fabs(p->r[i]), &g->r[0][i], &g->r[1][i]);
    for (int j = 0; j <= i; j++) {
      const int at = i * l + j, other = j * l + i;
      choose(g, full ? most : fabs(p->H[at]), &g->H[0][at], &g->H[1][at]);
      g->H[0][other] = g->H[0][at];
      g->H[1][other] = g->H[1][at];
    }
  }
}

static void copy_monomials(least_stationary_general* g, const least_stationary_problem* p)
{
  int terms = 0;
  for (int j = 0; j < p->s; j++) terms += p->polynomial[j].terms;
  for (int part = 0; part < 2 && g->term_room < terms; part++)
    g->term[part] = base_realloc(g->term[part], sizeof **g->term * (size_t)terms);
  if (g->term_room < terms) g->term_room = terms;
  terms = 0;
  for (int j = 0; j < p->s; j++) {
    const least_polynomial* y = p->polynomial + j;
    for (int part = 0; part < 2; part++) {
      least_monomial* to = g->term[part] + terms;
      memcpy(to, y->term, sizeof *to * (size_t)y->terms);
      for (int t = 0; t < y->terms; t++) to[t].c = 0;
      g->polynomial[part][j] = (least_polynomial){y->terms, to};
    }
    terms += y->terms;
  }
  memset(g->H, 0, sizeof g->H);
  memset(g->r, 0, sizeof g->r);
}

static void choose_polynomials(least_stationary_general* g, const least_stationary_frame* q)
{
  const least_stationary_problem* p = q->p;
  const bool full = is_full(p);
  int at = 0;
  for (int j = 0; j < p->s; j++)
    for (int t = 0; t < p->polynomial[j].terms; t++, at++) {
      const least_monomial* y = p->polynomial[j].term + t;
      // as large as it is, or as would make it as large as the constraint at the distance of a unit
      double size = full ? q->size[j] : fabs(y->c);
      for (int i = 0; i < p->l && full; i++)
        for (int k = 0; k < y->power[i]; k++)
          size /= fmax(fabs(q->origin[i]), q->unit / sqrt(p->H[i * p->l + i]));
      choose(g, size, &g->term[0][at].c, &g->term[1][at].c);
    }
}

static void make(least_stationary* f)
{
  least_stationary_general* g = f->general;
  least_stationary_paths* h = f->paths;
  const least_stationary_problem* p = f->frame.p;
  if (!same_monomials(g, p)) {
    g->l = p->l;
    g->s = p->s;
    g->state = 0x67656e6572616cu;
    copy_monomials(g, p);
  }
  choose_quadratic(g, p);
  choose_polynomials(g, &f->frame);
  for (int part = 0; part < 2; part++)
    g->part[part] = (least_stationary_problem){
        .l = p->l, .s = p->s, .H = g->H[part], .r = g->r[part], .polynomial = g->polynomial[part]};
  least_stationary_paths_write(h, &h->target, 2, g->part, NULL);
  h->real = false;
  g->made = least_stationary_paths_track_all(h) && least_stationary_roots_keep(&g->roots, h) &&
            g->roots.count > 0;
  g->useless = !g->made;
  h->real = true;
  least_stationary_paths_write_target(h);
}

bool least_stationary_general_follow(least_stationary* f)
{
  enum { attempts = 2 };
  least_stationary_general* g = f->general;
  least_stationary_paths* h = f->paths;
  if (g->useless || !least_stationary_homotopy_paths(&f->frame)) return false;
  if (!least_stationary_general_covers(g, f->frame.p)) make(f);
  if (!g->made) return false;
  least_stationary_paths_write(h, &h->before, 2, g->part, NULL);
  for (int attempt = 0; attempt < attempts; attempt++) {
    least_stationary_paths_choose(h, (unsigned)attempt);
    h->care = attempt ? 4 : 1;
    f->set.paths = g->roots.count;
    if (least_stationary_paths_track_near(h, &g->roots, NULL, true)) return true;
  }
  return false;
}
