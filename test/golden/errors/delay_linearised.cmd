zwang linearise delay_linearised.zw
