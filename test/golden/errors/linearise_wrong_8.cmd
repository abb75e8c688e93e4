zwang linearise linearise_wrong_8.zw --inputs k
