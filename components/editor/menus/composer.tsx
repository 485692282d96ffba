'use client'

import { useId, useState, type FormEvent, type KeyboardEvent } from 'react'
import { commentProblem } from '@/lib/comments/edit-threads.ts'
import { Button } from '@/components/ui/button.tsx'
import { putCaretAtEnd } from '@/components/ui/put-caret-at-end.ts'
import { commonStrings } from '@/lib/strings/common.ts'

interface CommentComposerProps {
  readonly label: string
  /** The label of its button. */
  readonly sendLabel: string
  readonly initial?: string
  /** May throw an error whose message is meant for the person. */
  readonly onSend: (text: string) => void
  readonly onCancel: () => void
}

/** The form for a message. A person opened it, so it takes the focus at once. */
export function CommentComposer({ label, sendLabel, initial = '', onSend, onCancel }: CommentComposerProps) {
  const [text, setText] = useState(initial)
  const [problem, setProblem] = useState<string | null>(null)
  const problemId = useId()
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    setProblem(problemOf(text, onSend))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // During a composition Escape cancels the composed word, and not the message.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onCancel()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form onSubmit={submit} className="mt-2 flex flex-col gap-2">
      <textarea
        ref={putCaretAtEnd}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the person who is about to write in it
        autoFocus
        aria-label={label}
        placeholder={label}
        aria-invalid={problem !== null}
        aria-describedby={problemId}
        value={text}
        rows={2}
        dir="auto"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        className="field-sizing-content max-h-60 min-h-16 w-full resize-none rounded-lg border border-edge bg-paper px-2.5 py-1.5 text-sm"
      />
      <p id={problemId} role="alert" className="text-xs text-danger empty:hidden">
        {problem}
      </p>
      <div className="flex justify-end gap-1.5">
        <Button look="quiet" shape="small" onClick={onCancel}>
          {commonStrings.cancel}
        </Button>
        <Button type="submit" look="primary" shape="small" title="Ctrl+Enter">
          {sendLabel}
        </Button>
      </div>
    </form>
  )
}

function problemOf(text: string, onSend: (text: string) => void): string | null {
  const problem = commentProblem(text)
  if (problem) return problem
  try {
    onSend(text)
    return null
  } catch (error) {
    if (error instanceof RangeError) return error.message
    throw error
  }
}
