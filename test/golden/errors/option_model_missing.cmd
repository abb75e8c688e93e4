zwang run parts/pendulm.zw
