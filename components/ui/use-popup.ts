'use client'

import { useRef, useState, type ComponentType, type RefObject } from 'react'
import { toastNotLoaded } from './toast'

/** What a dialog or a menu is given that is fetched when it is first wanted. */
export interface PopupProps {
  /** What it belongs to: a menu opens beside it. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

type LoadPopup<Props> = () => Promise<{ readonly default: ComponentType<Props & PopupProps> }>

/** The trigger is there at once; what it opens is a chunk of its own, fetched when the pointer or the keyboard comes near. */
export function usePopup<Props = object>(kind: 'dialog' | 'menu', load: LoadPopup<Props>) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [Popup, setPopup] = useState<ComponentType<Props & PopupProps>>()
  const loadPopup = async () => {
    if (Popup) return
    const loaded = await load()
    setPopup(() => loaded.default)
  }
  const preloadPopup = () => void loadPopup().catch(() => undefined) // whoever clicks is told
  const openPopup = () => {
    setOpen(true)
    loadPopup().catch(() => {
      setOpen(false)
      toastNotLoaded()
    })
  }
  return {
    trigger: {
      ref: anchor,
      type: 'button',
      'aria-haspopup': kind,
      'aria-expanded': open,
      onClick: openPopup,
      onPointerEnter: preloadPopup,
      onFocus: preloadPopup,
    } as const,
    Popup,
    popup: { anchor, open, onOpenChange: setOpen },
  }
}
