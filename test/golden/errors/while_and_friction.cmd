zwang run while_and_friction.zw
