zwang run parts/pendulum.zw -z
