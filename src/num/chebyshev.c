// Chebyshev polynomials of degree 16. Trefethen, Approximation Theory and Practice (2013), 3 and 4.
#include "num/chebyshev.h"

#include <math.h>

enum { N = num_chebyshev_degree };

// cos(pi m / 16) by symmetry from the first half-turn
static double cosine(int m)
{
  static const double table[] = {
      1,
      0.98078528040323044912618223613424,
      0.92387953251128675612818318939679,
      0.83146961230254523707878837761791,
      0.70710678118654752440084436210485,
      0.55557023301960222474283081394853,
      0.38268343236508977172845998403040,
      0.19509032201612826784828486847702,
      0,
  };
  m &= 31;
  if (m > 16) m = 32 - m;
  return m > 8 ? -table[16 - m] : table[m];
}

double num_chebyshev_node(int j)
{
  return cosine(j);
}

num_chebyshev num_chebyshev_fit(const double* values)
{
  num_chebyshev p;
  for (int k = 0; k <= N; k++) {
    double s = (values[0] + (k % 2 ? -values[N] : values[N])) / 2;
    for (int j = 1; j < N; j++) s += values[j] * cosine(j * k);
    p.c[k] = s * (k == 0 || k == N ? 1.0 / N : 2.0 / N);
  }
  return p;
}

// Clenshaw's recurrence
double num_chebyshev_value(const num_chebyshev* p, double x)
{
  double b1 = 0, b2 = 0;
  for (int k = N; k >= 1; k--) {
    double b = 2 * x * b1 - b2 + p->c[k];
    b2 = b1;
    b1 = b;
  }
  return x * b1 - b2 + p->c[0];
}

num_chebyshev num_chebyshev_derivative(const num_chebyshev* p)
{
  num_chebyshev d = {{0}};
  for (int k = N; k >= 1; k--) d.c[k - 1] = (k + 1 <= N ? d.c[k + 1] : 0) + 2 * k * p->c[k];
  d.c[0] /= 2;
  return d;
}

num_chebyshev num_chebyshev_part(const num_chebyshev* p, double from, double to)
{
  double values[N + 1];
  for (int j = 0; j <= N; j++)
    values[j] = num_chebyshev_value(p, from + (to - from) * (1 + cosine(j)) / 2);
  return num_chebyshev_fit(values);
}

double num_chebyshev_spread(const num_chebyshev* p)
{
  double s = 0;
  for (int k = 1; k <= N; k++) s += fabs(p->c[k]);
  return s;
}
