'use client'

import { useRef, useState, type ComponentType, type RefObject } from 'react'
import { sayNotLoaded } from './toast'

/** What a dialog or a menu is given that is fetched when it is first wanted. */
export interface PopupProps {
  /** What it belongs to: a menu opens beside it. */
  readonly anchor: RefObject<HTMLElement | null>
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

type Load<Props> = () => Promise<{ readonly default: ComponentType<Props & PopupProps> }>

/** The trigger is there at once; what it opens is a chunk of its own, fetched when the pointer or the keyboard comes near. */
export function usePopup<Props = object>(kind: 'dialog' | 'menu', load: Load<Props>) {
  const anchor = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [Popup, setPopup] = useState<ComponentType<Props & PopupProps>>()
  const fetch = async () => {
    if (Popup) return
    const loaded = await load()
    setPopup(() => loaded.default)
  }
  const prepare = () => void fetch().catch(() => undefined) // whoever clicks is told
  const show = () => {
    setOpen(true)
    fetch().catch(() => {
      setOpen(false)
      sayNotLoaded()
    })
  }
  return {
    trigger: {
      ref: anchor,
      type: 'button',
      'aria-haspopup': kind,
      'aria-expanded': open,
      onClick: show,
      onPointerEnter: prepare,
      onFocus: prepare,
    } as const,
    Popup,
    popup: { anchor, open, onOpenChange: setOpen },
  }
}
