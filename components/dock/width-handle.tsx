'use client'

import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { MAX_WIDTH, MIN_WIDTH, widthOf, withWidth, type Side } from '@/lib/windows/layout.ts'
import { useDockHere } from './dock'

/** px a key. */
const STEP = 16

/** Between a column and the text. The text's own window scrolls, so the two are no halves of one group that a library could divide. */
export function WidthHandle({ side }: { side: Side }) {
  const { layout, change } = useDockHere()
  const width = widthOf(layout, side)
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null)
  const resize = (to: number) => change((now) => withWidth(now, side, to))
  /** Towards the text is wider. */
  const outward = side === 'left' ? 1 : -1
  const onKeyDown = (event: KeyboardEvent) => {
    const to = widthByKey(event.key, width, outward)
    if (to === undefined) return
    event.preventDefault()
    resize(to)
  }
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    const column = event.currentTarget.parentElement
    drag.current = { x: event.clientX, width: column?.getBoundingClientRect().width ?? width }
  }
  const onPointerMove = ({ clientX }: PointerEvent) => {
    if (drag.current) resize(Math.round(drag.current.width + (clientX - drag.current.x) * outward))
  }
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a rule cannot be moved
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of the panels on the ${side}`}
      aria-valuenow={width}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onLostPointerCapture={() => (drag.current = null)}
      className={`w-2 shrink-0 cursor-col-resize touch-none hover:bg-accent/25 active:bg-accent/40 ${side === 'left' ? '-mr-1' : '-ml-1'}`}
    />
  )
}

function widthByKey(key: string, width: number, outward: number): number | undefined {
  if (key === 'ArrowRight') return width + STEP * outward
  if (key === 'ArrowLeft') return width - STEP * outward
  if (key === 'Home') return MIN_WIDTH
  return key === 'End' ? MAX_WIDTH : undefined
}
