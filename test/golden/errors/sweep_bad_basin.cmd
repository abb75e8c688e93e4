zwang sweep parts/pendulum.zw --over L=1,2 --basin "left x=1"
