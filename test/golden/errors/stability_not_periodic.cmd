zwang stability stability_with_time.zw --period 2
