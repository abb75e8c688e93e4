zwang derive parts/pendulum.zw --form lagrnge
