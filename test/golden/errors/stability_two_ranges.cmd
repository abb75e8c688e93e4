zwang stability stability_two_ranges.zw --over "a=0..1, b=2"
