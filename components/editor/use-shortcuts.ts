'use client'

import type { Editor } from '@tiptap/react'
import { useEffect, useRef } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { toast } from '@/components/ui/toast'
import { saveStateOf, saveStateSentence } from './save-state'

interface Shortcuts {
  readonly opened: OpenDocument
  readonly editor: Editor
  readonly onLink: () => void
}

const toastId = 'save-state'

/** Answers Mod+S: nothing is to be done, so it says how things stand, and again once all is saved. */
function answerSave(opened: OpenDocument): void {
  const now = opened.status.get()
  const cutOff = now.link.state !== 'up'
  const state = saveStateOf(now, { cutOff, stalled: false })
  toast(saveStateSentence(state), { id: toastId })
  if (state.kind !== 'sending') return
  opened.whenSaved().then(
    () => toast(saveStateSentence({ kind: 'saved' }), { id: toastId }),
    () => undefined,
  )
}

/** Keys that hold in the whole window. Alt+F10 goes to the toolbar, as in other editors. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const run = actionOf(event, latest.current)
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
}

function actionOf(event: KeyboardEvent, { opened, editor, onLink }: Shortcuts): (() => void) | null {
  const mod = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  if (mod && event.key.toLowerCase() === 's') return () => answerSave(opened)
  if (mod && event.key.toLowerCase() === 'k' && editor.isFocused) return onLink
  if (event.altKey && event.key === 'F10') return focusToolbar
  return null
}

const focusToolbar = () => document.querySelector<HTMLElement>('[role=toolbar] [tabindex="0"]')?.focus()
