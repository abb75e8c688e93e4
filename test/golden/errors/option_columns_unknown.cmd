zwang run parts/pendulum.zw --columns theta,thet,omega
