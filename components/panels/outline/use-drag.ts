'use client'

import { useEffect, useRef, useState, type RefObject } from 'react'
import { rowAfter } from './drop.ts'

/** How far a pointer goes, in CSS pixels, before a press is a drag. */
const SLACK = 5

export interface Drag {
  /** Of the heading that is dragged: others may write above it meanwhile. */
  readonly block: string
  /** The row that is to follow it. */
  readonly before: number
}

export interface Press {
  readonly clientY: number
  readonly pointerId: number
}

interface Dragging {
  readonly drag: Drag | null
  /** The main button went down on the row of a block. */
  press(block: string, event: Press): void
}

/** Drags rows of a list. Escape leaves all as it was. */
export function useDrag(list: RefObject<HTMLElement | null>, onDrop: (drag: Drag) => void): Dragging {
  const [drag, setDrag] = useState<Drag | null>(null)
  const watching = useRef<AbortController | null>(null)
  useEffect(() => () => watching.current?.abort(), [])
  // Others may edit while a row is dragged.
  const drop = useRef(onDrop)
  useEffect(() => {
    drop.current = onDrop
  })

  const press = (block: string, { clientY, pointerId }: Press): void => {
    let latest: Drag | null = null
    const show = (next: Drag | null) => setDrag((latest = next))
    const end = () => {
      watching.current?.abort()
      show(null)
    }
    end()
    const watch = new AbortController()
    watching.current = watch
    const { signal } = watch
    const onMove = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return
      if (!latest && Math.abs(event.clientY - clientY) < SLACK) return
      // From here on the release is no click on a row.
      if (!latest) list.current?.setPointerCapture(pointerId)
      show({ block, before: rowUnder(list.current, event.clientY) })
    }
    const onUp = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return
      if (latest) drop.current({ block, before: rowUnder(list.current, event.clientY) })
      end()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !latest) return
      event.preventDefault()
      end()
    }
    addEventListener('pointermove', onMove, { signal })
    addEventListener('pointerup', onUp, { signal })
    addEventListener('pointercancel', end, { signal })
    addEventListener('keydown', onKeyDown, { signal, capture: true })
  }
  return { drag, press }
}

/** Scrolls so far that it can be seen. */
function rowUnder(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const places = rows.map((row) => row.getBoundingClientRect())
  const before = rowAfter(places, y)
  rows[Math.min(before, rows.length - 1)]?.scrollIntoView({ block: 'nearest' })
  return before
}
