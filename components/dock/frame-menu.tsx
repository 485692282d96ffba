'use client'

import { Ellipsis } from 'lucide-react'
import type { PanelId } from '@/lib/windows/panels.ts'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { FrameMenuPopupProps } from './frame-menu-popup.tsx'
import { dockFramesStrings } from '@/lib/strings/dock-frames.ts'

const loadPopup = () => import('./frame-menu-popup.tsx')

/** Offers the other positions of a docked panel, as dragging its heading does. */
export function FrameMenu({ panel, name }: { panel: PanelId; name: string }) {
  const { trigger, Popup, popup } = usePopup<FrameMenuPopupProps>('menu', loadPopup)
  return (
    <>
      <button
        {...trigger}
        aria-label={dockFramesStrings.frameMenu.button(name)}
        className="grid size-8 shrink-0 place-items-center rounded-lg text-muted hover:bg-sunk hover:text-ink"
      >
        <Ellipsis size={16} aria-hidden />
      </button>
      {Popup && <Popup panel={panel} {...popup} />}
    </>
  )
}
