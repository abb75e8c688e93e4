// A chain of N pendulums on a cart derived by GiNaC: M and F of Lagrange's equations.
// cart_ginac N: the seconds it took; then the accelerations at q_i = i/10, q_i' = i/20.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <ginac/ginac.h>
#include <vector>

using namespace GiNaC;

// Gauss with the matrix in rows; M is positive definite
static void solve(int n, std::vector<double>& M, std::vector<double>& F)
{
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      const double f = M[i * n + k] / M[k * n + k];
      for (int j = k; j < n; j++) M[i * n + j] -= f * M[k * n + j];
      F[i] -= f * F[k];
    }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) F[i] -= M[i * n + j] * F[j];
    F[i] /= M[i * n + i];
  }
}

int main(int argc, char** argv)
{
  if (argc != 2) return 1;
  const int links = atoi(argv[1]), n = links + 1;
  const clock_t begin = clock();
  std::vector<symbol> q(n), v(n), m(n), l(n);
  const symbol g("g");
  // places, and velocities as their total derivatives
  ex x = q[0], y = 0, T = m[0] * pow(v[0], 2) / 2, V = 0;
  for (int i = 1; i < n; i++) {
    x -= l[i] * sin(q[i]);
    y += l[i] * cos(q[i]);
    ex vx = 0, vy = 0;
    for (int j = 0; j <= i; j++) {
      vx += x.diff(q[j]) * v[j];
      vy += y.diff(q[j]) * v[j];
    }
    T += m[i] * (pow(vx, 2) + pow(vy, 2)) / 2;
    V += m[i] * g * y;
  }
  std::vector<ex> M(n * n), F(n);
  for (int i = 0; i < n; i++) {
    const ex p = T.diff(v[i]);
    F[i] = T.diff(q[i]) - V.diff(q[i]);
    for (int j = 0; j < n; j++) {
      M[i * n + j] = p.diff(v[j]);
      F[i] -= p.diff(q[j]) * v[j];
    }
  }
  const double took = (double)(clock() - begin) / CLOCKS_PER_SEC;
  printf("%.9f\naccelerations\n", took);

  exmap at = {{g, 9.81}};
  for (int i = 0; i < n; i++) {
    at[m[i]] = i ? 1 : 2;
    at[l[i]] = 1;
    at[q[i]] = (i + 1) / 10.0, at[v[i]] = (i + 1) / 20.0;
  }
  std::vector<double> numbers(n * n), right(n);
  const auto value = [&](const ex& e) { return ex_to<numeric>(e.subs(at).evalf()).to_double(); };
  for (int i = 0; i < n * n; i++) numbers[i] = value(M[i]);
  for (int i = 0; i < n; i++) right[i] = value(F[i]);
  solve(n, numbers, right);
  for (const double a : right) printf("%.17g\n", a);
  return 0;
}
