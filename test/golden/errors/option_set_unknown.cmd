zwang run parts/pendulum.zw --set l=2
