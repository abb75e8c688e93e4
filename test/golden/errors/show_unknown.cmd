zwang derive show_unknown.zw --show "T, energy" ; zwang derive show_unknown.zw --show T --as c
