'use client'

import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { MAX_WIDTH, MIN_WIDTH, widthOf, withWidth, type DockSide } from '@/lib/windows/panel-layout.ts'
import { useRequiredDock } from './dock.ts'
import { dockFramesStrings } from '@/lib/strings/dock-frames.ts'

/** px per key press. */
const KEY_STEP = 16

interface WidthDrag {
  readonly column: HTMLElement
  readonly x: number
  /** In px. */
  readonly from: number
  to: number
}

/** The handle between a column and the text. The window itself scrolls the text, so no library can treat both as halves of one group. */
export default function WidthHandle({ side }: { side: DockSide }) {
  const { layout, updateLayout } = useRequiredDock()
  const width = widthOf(layout, side)
  const drag = useRef<WidthDrag | null>(null)
  const resize = (to: number) => updateLayout((now) => withWidth(now, side, to))
  /** Moving towards the text makes the column wider. */
  const outward = side === 'left' ? 1 : -1
  const onKeyDown = (event: KeyboardEvent) => {
    const to = widthByKey(event.key, width, outward)
    if (to === undefined) return
    event.preventDefault()
    resize(to)
  }
  const onPointerDown = ({ currentTarget, pointerId, clientX }: PointerEvent) => {
    const column = currentTarget.parentElement
    if (!column) return
    currentTarget.setPointerCapture(pointerId)
    drag.current = { column, x: clientX, from: column.offsetWidth, to: column.offsetWidth }
  }
  // The new width is shown at once but stored only on release, because the stored width goes to all of the person's windows.
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (!drag.current) return
    const { column, x, from } = drag.current
    const to = Math.round(from + (clientX - x) * outward)
    drag.current.to = Math.max(MIN_WIDTH, Math.min(to, MAX_WIDTH))
    column.style.width = `${drag.current.to}px`
  }
  const onLostPointerCapture = () => {
    if (drag.current) resize(drag.current.to)
    drag.current = null
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule cannot be moved
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={dockFramesStrings.columnWidth[side]}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={onLostPointerCapture}
      className={`relative w-2 shrink-0 cursor-col-resize touch-none after:absolute after:inset-y-0 after:-inset-x-2 hover:bg-accent/25 active:bg-accent/40 ${side === 'left' ? '-mr-1' : '-ml-1'}`}
    />
  )
}

function widthByKey(key: string, width: number, outward: number): number | undefined {
  if (key === 'ArrowRight') return width + KEY_STEP * outward
  if (key === 'ArrowLeft') return width - KEY_STEP * outward
  if (key === 'Home') return MIN_WIDTH
  return key === 'End' ? MAX_WIDTH : undefined
}
