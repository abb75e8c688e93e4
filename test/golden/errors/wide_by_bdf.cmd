zwang run parts/pendulum.zw --tol 1e-20 --method bdf
