zwang run roll_conforms.zw
