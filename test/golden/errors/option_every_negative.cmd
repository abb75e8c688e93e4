zwang run parts/pendulum.zw --every -1
