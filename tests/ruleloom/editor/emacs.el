;; Drives Emacs over a file of a pack, as somebody at the keys would, and writes down what it shows.
;; Variables from the test: rl-server (a command), rl-file, rl-out; `rl-init` is the file with the
;; settings of docs/editors.md.

(require 'cl-lib)
(require 'json)
(require 'eglot)
(require 'yaml-mode)
(load rl-init nil t)
(setq eglot-sync-connect 60
      eglot-connect-timeout 60
      eglot-confirm-server-initiated-edits nil)

(defun rl-wait (done)
  "Wait until DONE answers."
  (let ((last (+ (float-time) 90)))
    (while (and (not (funcall done)) (< (float-time) last))
      (accept-process-output nil 0.05))))

(defun rl-shown ()
  "What is shown about the buffer."
  (mapcar (lambda (one)
            (save-excursion
              (goto-char (flymake-diagnostic-beg one))
              (list (cons 'line (1- (line-number-at-pos)))
                    (cons 'column (current-column))
                    (cons 'characters (- (point) (line-beginning-position)))
                    (cons 'message (flymake-diagnostic-text one)))))
          (flymake-diagnostics)))

(find-file rl-file)
(yaml-mode)
(call-interactively #'eglot)
(flymake-mode 1)
(rl-wait (lambda () (flymake-start) (flymake-diagnostics)))
(let (out)
  (push (cons 'diagnostics (vconcat (rl-shown))) out)
  (goto-char (point-min))
  (search-forward "use moev")
  (backward-char 3)
  (push (cons 'completion
              (vconcat (mapcar #'substring-no-properties
                               (let ((found (eglot-completion-at-point)))
                                 (all-completions "mo" (nth 2 found))))))
        out)
  (goto-char (point-min))
  (search-forward "use moev")
  (delete-char -4)
  (insert "move")
  (eglot--signal-textDocument/didChange)  ; which a timer does where somebody is at the keys
  (rl-wait (lambda () (flymake-start) (null (flymake-diagnostics))))
  (goto-char (point-min))
  (search-forward "id: song")
  (eglot-rename "tune")
  (eglot--signal-textDocument/didChange)
  (eglot-format-buffer)
  (push (cons 'text (buffer-substring-no-properties (point-min) (point-max))) out)
  (with-temp-file rl-out (insert (json-encode out))))
(let ((eglot-autoshutdown nil)) (ignore-errors (eglot-shutdown (eglot-current-server))))
(set-buffer-modified-p nil)
(kill-emacs 0)
