'use client'

import { useLayoutEffect, useRef, type KeyboardEvent } from 'react'

interface HiddenInputProps {
  readonly label: string
  readonly typed: string
  readonly onTyped: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** Takes the focus and collects letters for a form whose code is still loading: they are meant for it, not for the text. */
export function HiddenInput({ label, typed, onTyped, onKeyDown }: HiddenInputProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])
  return (
    <input
      ref={input}
      aria-label={label}
      value={typed}
      onChange={(event) => onTyped(event.target.value)}
      onKeyDown={onKeyDown}
      className="sr-only"
    />
  )
}
