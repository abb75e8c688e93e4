zwang run parts/pendulum.zw --every 0
