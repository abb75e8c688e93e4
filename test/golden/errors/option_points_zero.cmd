zwang run parts/pendulum.zw --points 0
