zwang run orientation_without_mass.zw
