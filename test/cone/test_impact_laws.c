// Laws of impact against what any impact must obey.
#include "check.h"
#include "contact_make.h"

// Whatever the law: impulses are what changed the momentum, and velocities of contacts and energies
// those of the velocities told; without rebound Newton's law and Poisson's are one.
TEST(all_that_is_told_of_an_impact_belongs_together)
{
  static const cone_impact_law laws[] = {CONE_IMPACT_NEWTON, CONE_IMPACT_POISSON,
                                         CONE_IMPACT_MOREAU};
  unsigned seed = 23;
  enum { n = make_n, contacts = 2 };
  for (int t = 0; t <= 1; t++) {
    cone_impact* f = cone_impact_new(n, 1, contacts, t);
    for (int trial = 0; trial < 150; trial++) {
      make_scene s;
      make_contacts(&seed, &s, 0.3);
      double v[n], e[contacts] = {trial % 3 * 0.4, trial % 3 * 0.4}, first[n];
      for (int i = 0; i < n; i++) v[i] = 2 * make_unit(&seed);
      for (int l = 0; l < 3; l++) {
        cone_impact_problem p = {
            .contact = make_problem(&s, contacts, t, false), .v = v, .e = e, .law = laws[l]};
        const cone_impact_result r = cone_impact_solve(f, &p);
        if (r.status != CONE_CONTACT_SOLVED) continue;
        double energy = 0;
        for (int i = 0; i < n; i++) {
          double change = 0, pushed = s.NB[i] * r.P_B[0];
          for (int j = 0; j < n; j++) {
            change += s.M[i * n + j] * (r.v[j] - v[j]);
            energy += r.v[i] * s.M[i * n + j] * r.v[j] / 2;
          }
          for (int c = 0; c < contacts; c++) pushed += s.N[c * n + i] * r.P_N[c];
          for (int c = 0; c < contacts * t; c++) pushed += s.T[c * n + i] * r.P_T[c];
          CHECK_NEAR(change, pushed, 1e-9);
          if (l == 0) first[i] = r.v[i];
          if (l == 1 && e[0] == 0) CHECK_NEAR(r.v[i], first[i], 1e-8);
        }
        CHECK_NEAR(energy, r.energy_after, 1e-10);
        for (int c = 0; c < contacts; c++) {
          double g = s.d[c];
          for (int j = 0; j < n; j++) g += s.N[c * n + j] * r.v[j];
          CHECK_NEAR(r.g[c], g, 1e-10);
          CHECK(g > -1e-9);
        }
      }
    }
    cone_impact_free(f);
  }
}
