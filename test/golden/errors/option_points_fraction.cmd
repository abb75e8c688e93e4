zwang run parts/pendulum.zw --points 2.5
