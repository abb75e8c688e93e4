zwang sweep parts/pendulum.zw --over lenght=1,2
