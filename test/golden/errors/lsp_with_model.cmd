zwang lsp a.zw
