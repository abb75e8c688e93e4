zwang run wide_with_an_event.zw
