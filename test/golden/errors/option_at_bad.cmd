zwang run parts/pendulum.zw --at 1,two,3
