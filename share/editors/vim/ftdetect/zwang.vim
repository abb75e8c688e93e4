autocmd BufRead,BufNewFile *.zw setfiletype zwang
