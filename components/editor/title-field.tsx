'use client'

import { useEffect, useRef, type KeyboardEvent } from 'react'
import type * as Y from 'yjs'
import { TitleBinding } from './title-binding'

interface TitleFieldProps {
  readonly title: Y.Text
  readonly readOnly: boolean
  /** Enter goes on to the text. */
  readonly onDone: () => void
}

export function TitleField({ title, readOnly, onDone }: TitleFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const binding = new TitleBinding(field.current!, title)
    return () => binding.destroy()
  }, [title])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onDone()
  }
  return (
    <textarea
      ref={field}
      rows={1}
      aria-label="Title"
      placeholder="Untitled"
      autoComplete="off"
      readOnly={readOnly}
      onKeyDown={onKeyDown}
      className="title-field"
    />
  )
}
