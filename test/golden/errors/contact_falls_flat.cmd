zwang run contact_falls_flat.zw
