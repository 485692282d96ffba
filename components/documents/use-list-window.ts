'use client'

/**
 * Which rows of a long list are drawn: those near the screen. All rows, or cards, have one height, so that the place of the others is
 * kept by padding. A short list is drawn whole.
 */
import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Up to so many entries are drawn whatever is on screen. */
const MAX_WHOLE = 200
/** In lines: how many more are drawn on each side, and in which steps. */
const OVERSCAN = 20
const STEP = 10

interface ListWindow {
  /** In lines. */
  readonly from: number
  readonly to: number
  readonly columns: number
  /** The height of a line, in CSS pixels. */
  readonly height: number
}

/** Before it is measured: all is drawn, and while the list is short, so that nothing jumps when it becomes long. */
const everything: ListWindow = { from: 0, to: Infinity, columns: 1, height: 0 }

export function useListWindow(list: RefObject<HTMLUListElement | null>, count: number, layout: string) {
  const [shown, setShown] = useState(everything)
  const isWhole = count <= MAX_WHOLE || shown.height === 0
  useEffect(() => {
    const update = () => {
      const next = measureWindow(list.current!)
      if (next) setShown((before) => (JSON.stringify(next) === JSON.stringify(before) ? before : next))
    }
    update()
    addEventListener('scroll', update, { passive: true })
    addEventListener('resize', update)
    return () => {
      removeEventListener('scroll', update)
      removeEventListener('resize', update)
    }
  }, [list, layout, count])

  const { from, to, columns, height } = isWhole ? everything : shown
  const lines = Math.ceil(count / columns)
  // A list that became shorter is drawn at its end, until it is measured again.
  const first = Math.max(0, Math.min(from, lines - STEP)) * columns
  const end = Math.min(count, to * columns)
  const focusLink = (child: number) => {
    const link = list.current?.children[child]?.querySelector('a')
    link?.focus({ preventScroll: true })
    // At once: on the way there, the row would be drawn no more.
    link?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }
  return {
    first,
    end,
    isWhole,
    style: {
      paddingTop: (first / columns) * height,
      paddingBottom: Math.max(0, lines - to) * height,
      // The browser would follow rows that are drawn no more.
      ...(!isWhole && { overflowAnchor: 'none' as const }),
    },
    /** Focuses the link of an entry. What is far from the screen is drawn first. */
    focusEntry(index: number): void {
      if (index >= first && index < end) return focusLink(index - first)
      const line = Math.floor(index / columns)
      const next = { ...shown, from: Math.max(0, line - OVERSCAN), to: line + OVERSCAN }
      flushSync(() => setShown(next))
      focusLink(index - Math.min(next.from, Math.max(0, lines - STEP)) * columns)
    },
  }
}

function measureWindow(list: HTMLUListElement): ListWindow | null {
  if (!list.firstElementChild) return null
  const { gridTemplateColumns, rowGap } = getComputedStyle(list)
  const columns = gridTemplateColumns === 'none' ? 1 : gridTemplateColumns.split(' ').length
  const item = list.firstElementChild.getBoundingClientRect()
  const height = item.height + (Number.parseFloat(rowGap) || 0)
  const top = -list.getBoundingClientRect().top
  const lineAt = (y: number) => y / height
  return {
    from: Math.max(0, Math.floor((lineAt(top) - OVERSCAN) / STEP) * STEP),
    to: Math.max(STEP, Math.ceil((lineAt(top + innerHeight) + OVERSCAN) / STEP) * STEP),
    columns,
    height,
  }
}
