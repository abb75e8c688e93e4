zwang run parts/pendulum.zw --set L=theta
