'use client'

import { useRef, useState } from 'react'
import type { Heading } from '@/lib/text/headings.ts'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { RowMenuProps } from './row-menu.tsx'

const loadMenu = () => import('./row-menu.tsx')

/** One menu for all rows. It stays with its heading while other people write above it. */
export function useRowMenu(headings: readonly Heading[]) {
  const anchor = useRef<HTMLElement>(null)
  const [block, setBlock] = useState<string>()
  const { trigger, Popup, popup } = usePopup<RowMenuProps>('menu', loadMenu)
  return {
    Popup,
    popup: { ...popup, anchor, heading: headings.find((heading) => heading.block.id === block) },
    isOpenAt: (heading: Heading) => popup.open && heading.block.id === block,
    prepareMenu: trigger.onPointerEnter,
    openMenu(heading: Heading, button: HTMLElement) {
      anchor.current = button
      setBlock(heading.block.id)
      trigger.onClick()
    },
  }
}
