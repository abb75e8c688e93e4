zwang run mistake_method_rk4.zw
