zwang derive parts/pendulum.zw --as word
