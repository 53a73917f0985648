;;; kina-mode.el --- Kina programs -*- lexical-binding: t -*-

;;; Commentary:
;; Colors; `kina fmt' when a file is saved; M-x compile runs `kina check'.

;;; Code:

(defvar kina-command "kina"
  "The command that checks programs and lays them out.")

(defconst kina--keywords
  '("as" "const" "dim" "donate" "export" "fn" "for" "import" "in" "let" "part" "record" "return" "reverseMode" "while" "with" "yield"))
(defconst kina--constants '("false" "inf" "nan" "placeholder" "true"))
(defconst kina--dtypes '("BF16" "Bool" "F16" "F32" "F64" "I32" "I64" "I8"))
(defconst kina--operations
  '("abs" "and" "argmax" "broadcast" "cast" "ceil" "concat" "cos" "erf" "exp" "floor" "full"
    "gather" "iota" "isinf" "isnan" "log" "max" "mean" "min" "not" "or" "pad" "pow" "reshape"
    "round" "rsqrt" "select" "sigmoid" "sign" "sin" "slice" "softmax" "sqrt" "sum" "tanh"
    "top_k" "transpose" "trunc" "update"))

(defconst kina--font-lock
  `((,(regexp-opt kina--keywords 'symbols) . font-lock-keyword-face)
    (,(regexp-opt kina--constants 'symbols) . font-lock-constant-face)
    (,(regexp-opt kina--dtypes 'symbols) . font-lock-type-face)
    (,(concat (regexp-opt kina--operations 'symbols) "[ \t]*(") 1 font-lock-builtin-face)
    ("\\_<record[ \t]+\\(\\(?:\\sw\\|\\s_\\)+\\)" 1 font-lock-type-face)
    ("\\_<\\(?:fn\\|export\\)[ \t]+\\(\\(?:\\sw\\|\\s_\\)+\\)" 1 font-lock-function-name-face)))

(defvar kina-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?_ "_" table)
    table))

(defun kina-format ()
  "Lay the program out by `kina fmt'; leave it as it is where it is none."
  (interactive)
  (let ((text (generate-new-buffer " *kina fmt*")))
    (unwind-protect
        (when (eq 0 (call-process-region nil nil kina-command nil (list text nil) nil "fmt" "-"))
          (replace-buffer-contents text))
      (kill-buffer text))))

;;;###autoload
(define-derived-mode kina-mode prog-mode "Kina"
  "For Kina programs."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(kina--font-lock))
  (when buffer-file-name
    (setq-local compile-command
                (concat kina-command " check " (shell-quote-argument buffer-file-name))))
  (add-hook 'before-save-hook #'kina-format nil t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.kina\\'" . kina-mode))

(provide 'kina-mode)
;;; kina-mode.el ends here
