// All stationary points again, after a small change of the problem.
//
// In a family of polynomial problems the number of finite complex roots is the same everywhere but
// at special places, where it is less. So with K the number at general places, K different regular
// roots are all there are, in whatever way they were found (coefficient-parameter continuation:
// Sommese and Wampler 2005, chapter 7). Here, in this order:
//   from those of the last problem along the straight line between both, mostly in one step; where
//   real roots meet on it, along a line through complex problems;
//   from those of a problem in general position, which has as many roots as any of the family;
//   from products of linear forms (stationary_homotopy.c).
// Where the problems met have fewer roots than the general one, K is the most seen so far, and it
// is looked for more after 1, 2, 4, 8 ... others.
#include "least/stationary_paths.h"

#include <stdlib.h>
#include <string.h>

struct least_stationary_known
{
  int most;         // largest number of roots seen
  int looks, next;  // problems since all were looked for; how many until this is done again
  path_roots roots; // all roots of the problem p; none: not known
  least_stationary_problem p; // its numbers are kept below
  int degree[STATIONARY_L];
  double H[STATIONARY_L * STATIONARY_L], r[STATIONARY_L];
  double *place, *basis;
  int wide_room, term_room;
  least_polynomial polynomial[STATIONARY_L];
  least_monomial* term;
};

least_stationary_known* least_stationary_known_new(int l_max, int s_max)
{
  least_stationary_known* k = base_alloc(sizeof *k);
  k->roots = least_stationary_roots_new(l_max, s_max);
  return k;
}

void least_stationary_known_free(least_stationary_known* k)
{
  if (!k) return;
  free(k->place);
  free(k->basis);
  free(k->term);
  least_stationary_roots_free(&k->roots);
  free(k);
}

void least_stationary_forget(least_stationary* f)
{
  least_stationary_known* k = f->known;
  k->most = k->looks = k->next = k->roots.count = 0;
  least_stationary_general_forget(f->general);
}

// ---- remembering --------------------------------------------------------------------------------

static void copy_polynomials(least_stationary_known* k, const least_stationary_problem* p)
{
  int terms = 0;
  for (int j = 0; j < p->s; j++) terms += p->polynomial[j].terms;
  if (k->term_room < terms) {
    k->term = base_realloc(k->term, sizeof *k->term * (size_t)terms);
    k->term_room = terms;
  }
  terms = 0;
  for (int j = 0; j < p->s; j++) {
    const least_polynomial* y = p->polynomial + j;
    memcpy(k->term + terms, y->term, sizeof *k->term * (size_t)y->terms);
    k->polynomial[j] = (least_polynomial){y->terms, k->term + terms};
    terms += y->terms;
  }
}

static void copy_problem(least_stationary_known* k, const least_stationary_problem* p)
{
  const size_t l = (size_t)p->l, wide = (size_t)p->wide;
  k->p = *p;
  k->p.H = memcpy(k->H, p->H, sizeof(double) * l * l);
  k->p.r = memcpy(k->r, p->r, sizeof(double) * l);
  copy_polynomials(k, p);
  k->p.polynomial = k->polynomial;
  if (!p->wide) return;
  if (k->wide_room < p->wide) {
    k->place = base_realloc(k->place, sizeof(double) * wide);
    k->basis = base_realloc(k->basis, sizeof(double) * wide * STATIONARY_L);
    k->wide_room = p->wide;
  }
  k->p.place = memcpy(k->place, p->place, sizeof(double) * wide);
  k->p.basis = memcpy(k->basis, p->basis, sizeof(double) * wide * l);
}

// the ends of the paths are the roots of the problem of the frame, and nothing else is stationary
static void keep(least_stationary* f)
{
  least_stationary_known* k = f->known;
  const least_stationary_paths* h = f->paths;
  k->roots.count = 0;
  if (h->m != f->frame.p->s || h->n != f->frame.l) return;
  if (!least_stationary_roots_keep(&k->roots, h)) return;
  copy_problem(k, f->frame.p);
  memcpy(k->degree, h->degree, sizeof k->degree);
  if (k->roots.count > k->most) k->most = k->roots.count;
}

static bool due(const least_stationary_known* k)
{
  return k->looks + 1 >= k->next;
}

void least_stationary_known_looked(least_stationary* f, bool plain)
{
  least_stationary_known* k = f->known;
  if (due(k)) k->next = k->next ? 2 * k->next : 1;
  k->looks = 0;
  if (plain)
    keep(f);
  else
    k->roots.count = 0;
}

// ---- from the last problem to this one ----------------------------------------------------------

static void pass(const least_stationary_problem* from, const least_stationary_problem* to,
                 path_passage* out)
{
  const int l = to->l;
  memset(out, 0, sizeof *out);
  for (int r = 0; r < to->wide; r++)
    for (int i = 0; i < l; i++) {
      const double b = from->basis[r * l + i];
      out->shift[i] += b * (to->place[r] - from->place[r]);
      for (int j = 0; j < l; j++) out->R[i * l + j] += b * to->basis[r * l + j];
    }
}

// is p a neighbour of the last problem, and are the roots of that one all that such have?
static bool near(const least_stationary* f)
{
  const least_stationary_known* k = f->known;
  const least_stationary_frame* q = &f->frame;
  const least_stationary_problem* p = q->p;
  if (k->roots.count == 0 || k->roots.count < k->most) return false;
  // numbers that were zero until now may bring roots from infinity
  if (least_stationary_general_count(f->general) && !least_stationary_general_covers(f->general, p))
    return false;
  if (due(k) && k->roots.count != least_stationary_general_count(f->general)) return false;
  if (p->l != k->p.l || p->s != k->p.s || p->wide != k->p.wide || q->m != p->s) return false;
  for (int j = 0; j < q->m; j++)
    if (q->degree[q->index[j]] != k->degree[j]) return false;
  return true;
}

// straight first, then through complex problems, then with more care
static bool from_last(least_stationary* f)
{
  enum { attempts = 3 };
  least_stationary_known* k = f->known;
  least_stationary_paths* h = f->paths;
  path_passage y, *over = f->frame.p->wide ? &y : NULL;
  if (over) pass(&k->p, f->frame.p, over);
  least_stationary_paths_write(h, &h->before, 1, &k->p, over);
  for (int attempt = 0; attempt < attempts; attempt++) {
    least_stationary_paths_choose(h, (unsigned)attempt);
    h->gamma = attempt ? csqrt(h->gamma) : 1;
    h->care = attempt == attempts - 1 ? 4 : 1;
    if (least_stationary_paths_track_near(h, &k->roots, over, false)) return true;
  }
  return false;
}

bool least_stationary_known_follow(least_stationary* f)
{
  least_stationary_known* k = f->known;
  if (!near(f) || !from_last(f) || !least_stationary_paths_collect(f)) return false;
  k->looks++;
  keep(f);
  f->set.paths = k->roots.count;
  return true;
}
