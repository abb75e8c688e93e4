zwang run
