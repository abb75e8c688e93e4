zwang run roll_not_regular.zw
