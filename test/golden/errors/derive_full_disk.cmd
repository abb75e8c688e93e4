zwang derive parts/pendulum.zw > /dev/full
