zwang run parts/pendulum.zw --until inf
