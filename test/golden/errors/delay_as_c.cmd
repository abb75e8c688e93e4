zwang derive delay_as_c.zw --as c
