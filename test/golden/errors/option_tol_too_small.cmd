zwang run parts/pendulum.zw --tol 1e-31
