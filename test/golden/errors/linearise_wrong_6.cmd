zwang linearise linearise_wrong_6.zw --format matrix
