/** Opens a menu or dialog beside an element of a block's view, around which there is no React. Loaded with the views that need it. */
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import type { PopupProps } from '@/components/ui/use-popup.ts'

export interface BlockPopup {
  close(): void
}

/** It is closed by the person, or by the view when its block goes. */
export function openBlockPopup<Props extends object>(
  Popup: ComponentType<Props & PopupProps>,
  anchor: HTMLElement,
  props: Props,
): BlockPopup {
  const root = createRoot(document.createElement('div'))
  const show = (open: boolean): void => {
    anchor.ariaExpanded = String(open)
    root.render(
      <Popup
        {...props}
        anchor={{ current: anchor }}
        open={open}
        onOpenChange={show}
        onOpenChangeComplete={(isOpen) => isOpen || root.unmount()}
      />,
    )
  }
  show(true)
  return { close: () => show(false) }
}
