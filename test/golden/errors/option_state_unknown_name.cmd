zwang eval parts/pendulum.zw --state 'thta=1'
