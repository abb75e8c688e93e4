zwang check use_missing.zw
