zwang linearise linearise_wrong_3.zw --rest --steady
