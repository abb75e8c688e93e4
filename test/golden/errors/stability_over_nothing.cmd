zwang stability stability_over_nothing.zw --over k=1..2
