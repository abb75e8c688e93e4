zwang run parts/pendulum.zw --at 1,20
