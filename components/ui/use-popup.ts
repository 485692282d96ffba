'use client'

import { useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useChunk, type LoadComponent } from './lazy-component.tsx'
import { toastNotLoaded } from './toast.ts'

/** The props of a dialog or menu that is fetched when it is first needed. */
export interface PopupProps {
  /** The element it belongs to: a menu opens beside it. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** Called once it has appeared or disappeared. */
  readonly onOpenChangeComplete?: (open: boolean) => void
}

/** The trigger is there at once; its popup is a chunk of its own, fetched when the pointer or the focus comes near. */
export function usePopup<Props = object>(kind: 'dialog' | 'menu', load: LoadComponent<Props & PopupProps>) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const { Loaded: Popup, request } = useChunk(load)
  const preloadPopup = () => void request().catch(() => undefined) // a click shows the failure
  const openPopup = () => {
    setOpen(true)
    request().catch(() => {
      setOpen(false)
      toastNotLoaded()
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (kind !== 'menu' || event.key !== 'ArrowDown') return
    event.preventDefault()
    openPopup()
  }
  return {
    trigger: {
      ref: anchor,
      type: 'button',
      'aria-haspopup': kind,
      'aria-expanded': open,
      onClick: openPopup,
      onKeyDown,
      onPointerEnter: preloadPopup,
      onFocus: preloadPopup,
    } as const,
    Popup,
    popup: { anchor, open, onOpenChange: setOpen },
  }
}
