zwang run no_run_statement.zw --out -
