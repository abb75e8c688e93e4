zwang run events_of_cylinders.zw
