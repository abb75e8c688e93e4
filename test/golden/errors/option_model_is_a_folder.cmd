zwang run parts
