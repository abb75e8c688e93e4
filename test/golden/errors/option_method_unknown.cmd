zwang run parts/pendulum.zw --method dop835
