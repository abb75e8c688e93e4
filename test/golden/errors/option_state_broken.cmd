zwang eval parts/pendulum.zw --state 'theta=1, theta=='
