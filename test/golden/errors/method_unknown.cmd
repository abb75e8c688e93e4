zwang run method_unknown.zw --quiet
