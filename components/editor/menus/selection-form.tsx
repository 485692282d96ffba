'use client'

import { Popover } from '@base-ui/react/popover'
import type { Editor } from '@tiptap/react'
import { useCallback, useMemo, useRef, type ReactNode } from 'react'
import { mayGiveFocusBack } from '@/components/ui/may-give-focus-back.ts'

interface SelectionFormProps {
  readonly editor: Editor
  readonly label: string
  readonly open: boolean
  /** The form is sent as soon as it is there. */
  readonly isSent: boolean
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A small form beside the selection. */
export function SelectionForm({ editor, label, open, isSent, onClose, children }: SelectionFormProps) {
  const anchor = useMemo(() => ({ getBoundingClientRect: () => selectionRect(editor) }), [editor])
  const shown = useRef<HTMLElement>(null)
  const takeOver = useCallback(
    (popup: HTMLElement | null) => {
      shown.current = popup ?? shown.current
      // The field that took the letters until now has gone. Without focus they would go to the selection, which is in the text.
      popup?.querySelector<HTMLElement>('input, textarea')?.focus({ preventScroll: true })
      if (isSent) queueMicrotask(() => popup?.querySelector('form')?.requestSubmit())
    },
    [isSent],
  )
  return (
    <Popover.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          sideOffset={8}
          align="start"
          collisionPadding={8}
          className="z-50"
        >
          <Popover.Popup
            ref={takeOver}
            aria-label={label}
            finalFocus={() => mayGiveFocusBack(shown.current) && editor.view.dom}
            className="popup-motion w-[min(24rem,calc(100vw-1rem))] rounded-xl border border-line bg-raised p-3 shadow-float outline-none"
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function selectionRect(editor: Editor): DOMRect {
  const { from, to } = editor.state.selection
  const [start, end] = [editor.view.coordsAtPos(from), editor.view.coordsAtPos(to)]
  return new DOMRect(start.left, start.top, Math.max(1, end.left - start.left), end.bottom - start.top)
}
