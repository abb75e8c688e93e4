zwang linearise linearise_wrong_1.zw --inputs nobody
