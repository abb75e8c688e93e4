zwang run parts/pendulum.zw --until
