if exists('b:current_syntax')
  finish
endif

syntax keyword kinaDeclaration as const dim donate export fn import part record reverseMode
syntax keyword kinaControl for in let return while with yield
syntax keyword kinaConstant false inf nan placeholder true
syntax keyword kinaDtype BF16 Bool F16 F32 F64 I32 I64 I8

" Only where they are called: a value may be named as an operation is.
syntax match kinaOperation /\<\%(abs\|and\|argmax\|broadcast\|cast\|ceil\|concat\|cos\|erf\|exp\|floor\|full\|gather\|iota\|isinf\|isnan\|log\|max\|mean\|min\|not\|or\|pad\|pow\|reshape\|round\|rsqrt\|select\|sigmoid\|sign\|sin\|slice\|softmax\|sqrt\|sum\|tanh\|top_k\|transpose\|trunc\|update\)\>\ze\s*(/
syntax match kinaFunction /\<fn\s\+\zs\h\w*/
syntax match kinaRecord /\<record\s\+\zs\h\w*/
syntax match kinaSignature /\<export\s\+\zs\h\w*/
syntax match kinaNumber /\<\d\+\%(\.\d\+\)\?\%([eE][+-]\?\d\+\)\?\>/
syntax match kinaOperator /->\|[=!<>]=\|[-+*%@<>=]\|\/\|\.\.\.\?/
syntax match kinaString /"[^"]*"/
syntax match kinaComment /\/\/.*$/ contains=@Spell

highlight default link kinaDeclaration StorageClass
highlight default link kinaControl Statement
highlight default link kinaConstant Constant
highlight default link kinaDtype Type
highlight default link kinaOperation Function
highlight default link kinaFunction Identifier
highlight default link kinaRecord Identifier
highlight default link kinaSignature Identifier
highlight default link kinaNumber Number
highlight default link kinaOperator Operator
highlight default link kinaString String
highlight default link kinaComment Comment

let b:current_syntax = 'kina'
