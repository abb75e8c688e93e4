zwang
