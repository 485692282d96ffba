'use client'

import { useEffect, useRef, useState, type RefObject } from 'react'
import { dropRowAt } from './drop-target.ts'

/** How far a pointer moves, in CSS pixels, before a press becomes a drag. */
const DRAG_THRESHOLD = 5

export interface RowDrag {
  /** The id of the dragged heading's block: other people may write above it meanwhile. */
  readonly block: string
  /** The index of the row after the drop. */
  readonly before: number
}

export interface RowPress {
  readonly clientY: number
  readonly pointerId: number
}

interface RowDragState {
  readonly drag: RowDrag | null
  /** The main button was pressed on the row of a block. */
  startDrag(block: string, event: RowPress): void
}

/** Drags rows of a list. Escape cancels the drag. */
export function useRowDrag(
  list: RefObject<HTMLElement | null>,
  onDrop: (drag: RowDrag) => void,
): RowDragState {
  const [drag, setDrag] = useState<RowDrag | null>(null)
  const activeDrag = useRef<AbortController | null>(null)
  useEffect(() => () => activeDrag.current?.abort(), [])
  // Other people may edit while a row is dragged.
  const latestOnDrop = useRef(onDrop)
  useEffect(() => {
    latestOnDrop.current = onDrop
  })

  const startDrag = (block: string, { clientY, pointerId }: RowPress): void => {
    let latest: RowDrag | null = null
    const setLatestDrag = (next: RowDrag | null) => setDrag((latest = next))
    const endDrag = () => {
      activeDrag.current?.abort()
      setLatestDrag(null)
    }
    endDrag()
    const dragController = new AbortController()
    activeDrag.current = dragController
    const { signal } = dragController
    const onMove = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return
      if (!latest && Math.abs(event.clientY - clientY) < DRAG_THRESHOLD) return
      // From here on, the release does not click a row.
      if (!latest) list.current?.setPointerCapture(pointerId)
      setLatestDrag({ block, before: scrollToDropRow(list.current, event.clientY) })
    }
    const onUp = (event: PointerEvent) => {
      if (event.pointerId !== pointerId) return
      if (latest) latestOnDrop.current({ block, before: scrollToDropRow(list.current, event.clientY) })
      endDrag()
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !latest) return
      event.preventDefault()
      endDrag()
    }
    addEventListener('pointermove', onMove, { signal })
    addEventListener('pointerup', onUp, { signal })
    addEventListener('pointercancel', endDrag, { signal })
    addEventListener('keydown', onKeyDown, { signal, capture: true })
  }
  return { drag, startDrag }
}

/** Scrolls so far that the drop position is visible. */
function scrollToDropRow(list: HTMLElement | null, y: number): number {
  const rows = [...(list?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const rowEdges = rows.map((row) => row.getBoundingClientRect())
  const before = dropRowAt(rowEdges, y)
  rows[Math.min(before, rows.length - 1)]?.scrollIntoView({ block: 'nearest' })
  return before
}
