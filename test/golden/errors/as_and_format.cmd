zwang derive empty.zw --as c --format json
