zwang run parts/pendulum.zw --until -5
