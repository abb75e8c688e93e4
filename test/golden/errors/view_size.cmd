zwang view parts/pendulum.zw --size 33x1
