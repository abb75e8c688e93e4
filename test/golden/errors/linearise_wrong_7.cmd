zwang linearise linearise_wrong_7.zw --inputs
