// Rates of the motion and their derivatives over one square of complex times, or over a piece of
// real ones.
#include "certify/tube.h"

#include <math.h>

// bounds need no more digits than a double has
enum { proof_bits = certify_tube_bits };
// exp of it has its place between the tube and what the polynomial leaves out
static const double most_steepness = 300;

void certify_square_shorten(certify_tube* u, const certify_motion* m, int order, double radius)
{
  mag_t size, power, step;
  mag_init(size);
  mag_init(power);
  mag_init(step);
  mag_set_d(step, radius);
  u->terms = order < certify_tube_terms ? order : certify_tube_terms;
  for (int i = 0; i <= 2 * u->c->n; i++) {
    for (int k = 0; k <= u->terms; k++) {
      arb_set_round(u->p[i] + k, m->input[i] + k, proof_bits);
      arb_mul_ui(u->rise[i] + k, u->p[i] + k, (ulong)k, proof_bits);
    }
    mag_zero(u->tail + i);
    for (int k = u->terms + 1; k <= order; k++) {
      mag_pow_ui(power, step, (ulong)k);
      arb_get_mag(size, m->input[i] + k);
      mag_addmul(u->tail + i, size, power);
    }
  }
  mag_clear(size);
  mag_clear(power);
  mag_clear(step);
}

// sum of c_k s^(k - from)
static void sum(acb_ptr x, arb_srcptr c, int from, int to, acb_srcptr s)
{
  acb_set_arb(x, c + to);
  for (int k = to - 1; k >= from; k--) {
    acb_mul(x, x, s, proof_bits);
    acb_add_arb(x, x, c + k, proof_bits);
  }
}

// p(s) = p(m) + p'(s) (s - m), m the middle
void certify_square_place(certify_tube* u, acb_srcptr s, bool tubed)
{
  acb_t middle, off, slope;
  acb_init(middle);
  acb_init(off);
  acb_init(slope);
  acb_add_arb(u->in, s, u->p[0], proof_bits);
  acb_set(middle, s);
  acb_set(off, s);
  mag_zero(arb_radref(acb_realref(middle)));
  mag_zero(arb_radref(acb_imagref(middle)));
  arf_zero(arb_midref(acb_realref(off)));
  arf_zero(arb_midref(acb_imagref(off)));
  for (int i = 1; i <= 2 * u->c->n; i++) {
    acb_ptr x = u->in + i;
    sum(x, u->p[i], 0, u->terms, middle);
    sum(slope, u->rise[i], 1, u->terms, s);
    acb_addmul(x, slope, off, proof_bits);
    if (tubed) mag_add(u->more, u->tail + i, u->wide + i - 1);
    const mag_struct* about = tubed ? u->more : u->tail + i;
    arb_add_error_mag(acb_realref(x), about);
    if (!acb_is_real(s)) arb_add_error_mag(acb_imagref(x), about);
  }
  acb_clear(middle);
  acb_clear(off);
  acb_clear(slope);
}

// accelerations and reactions over the inputs, into x; false where they are not known to be
// analytic
static bool solve(certify_tube* u)
{
  const certify_system* c = u->c;
  certify_graph_values(&c->motion, u->in, u->value, proof_bits, u->again);
  u->again = true;
  acb_mat_zero(u->K);
  for (int e = 0; e < c->entry.n; e++) {
    const certify_entry* at = &c->entry.at[e];
    acb_set(acb_mat_entry(u->K, at->row, at->column), u->value + at->node);
  }
  for (int i = 0; i < c->size; i++) acb_set(acb_mat_entry(u->b, i, 0), u->value + c->right[i]);
  if (!acb_mat_solve(u->x, u->K, u->b, proof_bits)) return false;
  for (int i = 0; i < c->size; i++)
    if (!acb_is_finite(acb_mat_entry(u->x, i, 0))) return false;
  return true;
}

// K dx/dy_j = db/dy_j - dK/dy_j x, for all j
static bool differentiate(certify_tube* u)
{
  const certify_system* c = u->c;
  for (int j = 0; j < 2 * c->n; j++) {
    certify_graph_slopes(&c->motion, 1 + j, u->value, u->slope, proof_bits);
    for (int i = 0; i < c->size; i++)
      acb_set(acb_mat_entry(u->right, i, j), u->slope + c->right[i]);
    for (int e = 0; e < c->entry.n; e++) {
      const certify_entry* at = &c->entry.at[e];
      if (acb_is_zero(u->slope + at->node)) continue;
      acb_submul(acb_mat_entry(u->right, at->row, j), u->slope + at->node,
                 acb_mat_entry(u->x, at->column, 0), proof_bits);
    }
  }
  if (!acb_mat_solve(u->slopes, u->K, u->right, proof_bits)) return false;
  for (int i = 0; i < c->n; i++)
    for (int j = 0; j < 2 * c->n; j++)
      if (!acb_is_finite(acb_mat_entry(u->slopes, i, j))) return false;
  return true;
}

static void raise_to(arb_t bound, const arb_t x)
{
  if (arb_gt(x, bound)) arb_set(bound, x);
}

// M over the square
bool certify_square_rates(certify_tube* u)
{
  mag_t size;
  mag_init(size);
  const bool known = solve(u);
  for (int i = 0; i < 2 * u->c->n && known; i++) {
    const int k = i - u->c->n;
    acb_get_mag(size, k < 0 ? u->in + 1 + u->c->n + i : acb_mat_entry(u->x, k, 0));
    mag_max(u->most + i, u->most + i, size);
  }
  mag_clear(size);
  return known;
}

// the largest share of the tube by which the slopes over the square move it in the time tau
static double steepness(const certify_tube* u, double tau)
{
  const int n = u->c->n;
  double most = 0;
  mag_t sum, part;
  mag_init(sum);
  mag_init(part);
  for (int i = 0; i < n; i++) {
    mag_zero(sum);
    for (int j = 0; j < 2 * n; j++) {
      acb_get_mag(part, acb_mat_entry(u->slopes, i, j));
      mag_addmul(sum, part, u->wide + j);
    }
    mag_div(sum, sum, u->wide + n + i);
    most = fmax(most, tau * mag_get_d(sum));
  }
  mag_clear(sum);
  mag_clear(part);
  return most;
}

// J over the square, or A where it is one of real times; not where the square may be too large for
// it, which makes things steep
bool certify_square_slopes(certify_tube* u, bool real, double tau)
{
  const int n = u->c->n;
  if (!solve(u) || !differentiate(u) || steepness(u, tau) > most_steepness) return false;
  arb_t bound;
  arb_init(bound);
  for (int i = 0; i < n; i++) {
    arb_one(arb_mat_entry(u->rate, i, n + i));
    for (int j = 0; j < 2 * n; j++) {
      acb_ptr x = acb_mat_entry(u->slopes, i, j);
      if (real && j == n + i) {
        arb_get_ubound_arf(arb_midref(bound), acb_realref(x), proof_bits);
      } else {
        mag_t size;
        mag_init(size);
        acb_get_mag(size, x);
        arf_set_mag(arb_midref(bound), size);
        mag_clear(size);
      }
      raise_to(arb_mat_entry(u->rate, n + i, j), bound);
    }
  }
  arb_clear(bound);
  return true;
}
