zwang rnu parts/pendulum.zw
