'use client'

import { useEffect, useRef } from 'react'
import type { Wish } from '@/lib/windows/wish.ts'
import { ownPage } from '@/components/windows/own-page'
import { onWish } from './wish'

/** For a panel: does what the person asks of it elsewhere, in this window or in another one of theirs. */
export function useWish<Panel extends Wish['panel']>(
  panel: Panel,
  listener: (wanted: Extract<Wish, { panel: Panel }>) => void,
): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const undoWishes = onWish(panel, (wanted) => latest.current(wanted))
    const undoAsks = ownPage().register.onAsked((what) => {
      if (what.type === 'wish' && what.wish.panel === panel)
        latest.current(what.wish as Extract<Wish, { panel: Panel }>)
    })
    return () => {
      undoWishes()
      undoAsks()
    }
  }, [panel])
}
