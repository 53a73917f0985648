" :make runs `kina check` on the file and lists its errors.
let current_compiler = 'kina'

CompilerSet makeprg=kina\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror:\ %m,%f:%l:%c:\ %tote:\ %m,%-G%.%#
