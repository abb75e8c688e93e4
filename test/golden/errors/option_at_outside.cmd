zwang run parts/pendulum.zw --until 10 --at 1,20
