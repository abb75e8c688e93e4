zwang run delay_at_rest.zw
