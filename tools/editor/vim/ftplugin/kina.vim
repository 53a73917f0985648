if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=:// commentstring=//\ %s
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal formatprg=kina\ fmt\ -
compiler kina

if !exists('*s:Format')
  " The buffer as `kina fmt` lays it out; as it is where it is no program.
  function s:Format() abort
    let text = systemlist('kina fmt -', getline(1, '$'))
    if v:shell_error || text == getline(1, '$')
      return
    endif
    let view = winsaveview()
    silent keepjumps call setline(1, text)
    if line('$') > len(text)
      silent keepjumps call deletebufline('%', len(text) + 1, '$')
    endif
    call winrestview(view)
  endfunction
endif

augroup kina_format
  autocmd! BufWritePre <buffer> call s:Format()
augroup END

let b:undo_ftplugin = 'setlocal comments< commentstring< expandtab< shiftwidth< softtabstop< formatprg<'
      \ . ' makeprg< errorformat< | autocmd! kina_format * <buffer>'
