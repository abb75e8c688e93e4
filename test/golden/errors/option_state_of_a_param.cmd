zwang eval parts/pendulum.zw --state 'L=1'
