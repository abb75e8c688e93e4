zwang run parts/pendulum.zw --tol nan
