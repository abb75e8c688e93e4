zwang run parts/pendulum.zw --compare k=1,2
