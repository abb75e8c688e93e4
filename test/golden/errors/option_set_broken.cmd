zwang run parts/pendulum.zw --set 'L=2*(3'
