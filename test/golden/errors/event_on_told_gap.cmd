zwang run event_on_told_gap.zw
