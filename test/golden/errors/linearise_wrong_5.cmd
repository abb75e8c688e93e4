zwang linearise linearise_wrong_5.zw --at x=nobody
