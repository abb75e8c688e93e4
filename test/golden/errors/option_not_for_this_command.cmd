zwang check parts/pendulum.zw --form maggi
