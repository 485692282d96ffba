/** A panel that is being dragged by its heading to another place in the dock. */
import type { DragEvent } from 'react'
import { create } from 'zustand'
import { moved, spotOf, type Layout, type Side } from '@/lib/windows/layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'

export const useDragging = create<{ readonly panel: PanelId | null }>(() => ({ panel: null }))

export const dragging = (panel: PanelId) => ({
  onDragStart(event: DragEvent) {
    event.dataTransfer.effectAllowed = 'move'
    // A type of our own: dropped into the text, a plain one would be written there.
    event.dataTransfer.setData('application/x-diptych-panel', panel)
    useDragging.setState({ panel })
  },
  onDragEnd: () => useDragging.setState({ panel: null }),
})

/** What takes a dragged panel. Anything else that is dragged over it is none of its business. */
export const droppable = (drop: (panel: PanelId, event: DragEvent) => void) => ({
  onDragOver(event: DragEvent) {
    if (useDragging.getState().panel === null) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
  },
  onDrop(event: DragEvent) {
    const { panel } = useDragging.getState()
    if (panel === null) return
    event.preventDefault()
    useDragging.setState({ panel: null })
    drop(panel, event)
  },
})

/** Its upper half is before it, its lower half after it. */
export function isAfter({ clientY, currentTarget }: DragEvent): boolean {
  const { top, height } = currentTarget.getBoundingClientRect()
  return clientY > top + height / 2
}

/** @param index In the column as it stands, with the dragged panel still in it. */
export function droppedAt(layout: Layout, panel: PanelId, side: Side, index: number): Layout {
  const from = spotOf(layout, panel)
  const shift = from?.side === side && from.index < index ? 1 : 0
  return moved(layout, panel, { side, index: index - shift })
}
