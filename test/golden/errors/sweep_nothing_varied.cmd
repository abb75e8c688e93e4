zwang sweep parts/pendulum.zw
