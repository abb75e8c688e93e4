zwang view parts/pendulum.zw
