zwang run constraint_without_gradient.zw --out -
