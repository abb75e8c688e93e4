zwang sweep parts/pendulum.zw --over L=1,2 --over L=3,4
