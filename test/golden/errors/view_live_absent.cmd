ZWANG_LIVE=/nowhere zwang view parts/pendulum.zw --live
