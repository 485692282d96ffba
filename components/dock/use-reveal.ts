'use client'

import { useEffect } from 'react'
import { itemOf, withPanel } from '@/lib/windows/layout.ts'
import type { Wish } from '@/lib/windows/wish.ts'
import { panels } from '@/components/panels/registry'
import { onUnheardWish, withdraw } from '@/components/panels/wish'
import { toast } from '@/components/ui/toast'
import { showOwn } from '@/components/windows/open'
import { ownPage } from '@/components/windows/own-page'
import type { Dock } from './dock'
import { strings } from '@/lib/strings/dock.ts'

/** What a panel is to do, and it is not here: it is opened, or its window is asked. */
export function useReveal(dock: Dock): void {
  useEffect(() => onUnheardWish((wanted) => reveal(dock, wanted)), [dock])
}

function reveal(dock: Dock, wanted: Wish): void {
  const { panel } = wanted
  const windows = dock.windowsOf(panel)
  const isAway = itemOf(dock.layout, panel)?.detached ?? false
  const window = windows.find(({ here }) => here) ?? (isAway ? windows[0] : undefined)
  if (!window) return open(dock, wanted)
  withdraw(wanted)
  ownPage().register.ask(window.id, { type: 'wish', wish: wanted })
  toast(strings.toasts.inAnotherWindow(panels[panel].name), {
    id: panel,
    action: { label: strings.toasts.show, onClick: () => void showOwn(window) },
  })
}

/**
 * Who is about to find, or to keep a version, gets the keyboard there; who clicked into the text keeps it. Where a panel would cover the text, the person
 * decides.
 */
function open(dock: Dock, { panel }: Wish): void {
  if (panel !== 'comments') dock.show(panel)
  else if (dock.isWide) dock.change((now) => withPanel(now, panel))
  else
    toast(strings.toasts.comment, {
      id: panel,
      action: { label: strings.toasts.show, onClick: () => dock.show(panel) },
    })
}
