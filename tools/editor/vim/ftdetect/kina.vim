autocmd BufRead,BufNewFile *.kina setfiletype kina
