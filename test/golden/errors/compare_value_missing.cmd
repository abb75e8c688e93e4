zwang run empty.zw --compare m=1,,2
