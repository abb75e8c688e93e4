zwang view parts/pendulum.zw --form newton
