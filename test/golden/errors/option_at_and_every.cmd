zwang run parts/pendulum.zw --at 1,2 --every 0.1
