'use client'

import { useEffect, useRef, type KeyboardEvent, type RefObject } from 'react'
import type * as Y from 'yjs'
import type { Undo } from '@/lib/undo/undo.ts'
import { TitleBinding } from './title-binding.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

interface TitleFieldProps {
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly title: Y.Text
  readonly undo: Undo
  readonly readOnly: boolean
  /** The document is empty, so a person starts with the title. */
  readonly isNewDocument: boolean
  /** Called on Enter, which moves on to the text. */
  readonly onDone: () => void
}

export function TitleField({ field, title, undo, readOnly, isNewDocument, onDone }: TitleFieldProps) {
  const focusesAtStart = useRef(isNewDocument)
  useEffect(() => {
    // The title takes the focus only if nothing else has it.
    if (focusesAtStart.current && document.activeElement === document.body) field.current?.focus()
  }, [field])
  useEffect(() => {
    const binding = new TitleBinding(field.current!, title, undo)
    return () => binding.destroy()
  }, [field, title, undo])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    onDone()
  }
  return (
    <textarea
      ref={field}
      rows={1}
      dir="auto"
      aria-label={editorStrings.title.label}
      placeholder={editorStrings.title.placeholder}
      autoComplete="off"
      readOnly={readOnly}
      onKeyDown={onKeyDown}
      className="title-field"
    />
  )
}
