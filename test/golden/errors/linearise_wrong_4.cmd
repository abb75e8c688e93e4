zwang linearise linearise_wrong_4.zw --at x
