'use client'

/**
 * Which rows of a long list are drawn: those near the screen. All rows, or cards, have one height, so that the place of the others is
 * kept by padding. A short list is drawn whole.
 */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

/** Up to so many entries are drawn whatever is on screen. */
const MAX_WHOLE = 100
/** In CSS pixels: how much more is drawn on each side, and in which steps. */
const OVERSCAN = 1_400
const STEP = 700

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
  /** The entry that had the focus when scrolling took it off the page. */
  const lostFocus = useRef<number | null>(null)
  const isWhole = count <= MAX_WHOLE || shown.height === 0
  useEffect(() => {
    const update = () => {
      const next = measureWindow(list.current!)
      if (!next) return
      const focused = count > MAX_WHOLE ? focusedEntry(list.current!) : null
      if (focused !== null && !includesEntry(next, focused)) {
        lostFocus.current = focused
        list.current!.focus({ preventScroll: true })
      }
      setShown((before) => (JSON.stringify(next) === JSON.stringify(before) ? before : next))
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
  const lastFrom = Math.max(0, lines - Math.ceil(STEP / (height || 1)))
  const first = Math.min(from, lastFrom) * columns
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
    /** The entry that a key is about. The list itself has the focus of one that scrolling took off the page. */
    entryAt(target: Element): number | null {
      if (target === list.current) return lostFocus.current
      const row = target.closest('li')
      return row?.parentElement === list.current ? first + [...list.current!.children].indexOf(row) : null
    },
    /** Focuses the link of an entry. What is far from the screen is drawn first. */
    focusEntry(index: number): void {
      if (index >= first && index < end) return focusLink(index - first)
      const line = Math.floor(index / columns)
      const overscan = Math.ceil(OVERSCAN / height)
      const next = { ...shown, from: Math.max(0, line - overscan), to: line + overscan }
      flushSync(() => setShown(next))
      focusLink(index - Math.min(next.from, lastFrom) * columns)
    },
  }
}

function focusedEntry(list: HTMLUListElement): number | null {
  const row = list.contains(document.activeElement) && document.activeElement?.closest('li')
  return row ? Number(row.ariaPosInSet) - 1 : null
}

const includesEntry = ({ from, to, columns }: ListWindow, index: number): boolean =>
  index >= from * columns && index < to * columns

function measureWindow(list: HTMLUListElement): ListWindow | null {
  if (!list.firstElementChild) return null
  const { gridTemplateColumns, rowGap } = getComputedStyle(list)
  const columns = gridTemplateColumns === 'none' ? 1 : gridTemplateColumns.split(' ').length
  const item = list.firstElementChild.getBoundingClientRect()
  const height = item.height + (Number.parseFloat(rowGap) || 0)
  const top = -list.getBoundingClientRect().top
  const step = Math.ceil(STEP / height)
  const steps = (y: number) => y / height / step
  return {
    from: Math.max(0, Math.floor(steps(top - OVERSCAN)) * step),
    to: Math.max(1, Math.ceil(steps(top + innerHeight + OVERSCAN))) * step,
    columns,
    height,
  }
}
