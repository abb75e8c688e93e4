zwang sweep parts/pendulum.zw --over L=1,2 --resume
