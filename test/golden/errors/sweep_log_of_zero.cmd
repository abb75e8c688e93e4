zwang sweep parts/pendulum.zw --over L=0..2:5:log
