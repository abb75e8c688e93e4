zwang run delay_steady.zw
