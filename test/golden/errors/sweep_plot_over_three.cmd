zwang sweep parts/pendulum.zw --over L=1,2 --over m=1,2 --over g=1,2 --out a.csv --plot a.svg
