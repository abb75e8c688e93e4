zwang run parts/pendulum.zw --untill 5
