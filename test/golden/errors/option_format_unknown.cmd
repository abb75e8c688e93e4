zwang eval parts/pendulum.zw --format xml
