'use client'

import { useLayoutEffect, useRef, type KeyboardEvent } from 'react'

interface HiddenInputProps {
  readonly label: string
  readonly typed: string
  /** Enter begins a line. */
  readonly isMultiline?: boolean
  readonly onTyped: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Takes the focus and collects letters for a form whose code is still loading: they are meant for it, not for the text. */
export function HiddenInput({ label, typed, isMultiline = false, onTyped, onKeyDown }: HiddenInputProps) {
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null)
  useLayoutEffect(() => field.current?.focus({ preventScroll: true }), [])
  const Field = isMultiline ? 'textarea' : 'input'
  return (
    <Field
      ref={field}
      aria-label={label}
      value={typed}
      onChange={(event) => onTyped(event.target.value)}
      onKeyDown={onKeyDown}
      className="sr-only"
      // WebKit writes a space as a no-break one where spaces collapse.
      style={{ whiteSpace: 'pre-wrap' }}
    />
  )
}
