zwang linearise linearise_wrong_2.zw --outputs nobody
