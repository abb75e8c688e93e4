zwang run rod_turns_about_itself.zw
