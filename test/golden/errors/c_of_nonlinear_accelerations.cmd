zwang derive c_of_nonlinear_accelerations.zw --as c
