zwang run parts/pendulum.zw --set theta=1
