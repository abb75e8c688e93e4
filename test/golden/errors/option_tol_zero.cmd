zwang run parts/pendulum.zw --tol 0
