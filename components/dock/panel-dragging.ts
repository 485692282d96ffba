/** Dragging a panel by its heading to another position in the dock. */
import type { DragEvent } from 'react'
import { create } from 'zustand'
import { movePanel, dockPositionOf, type PanelLayout, type DockSide } from '@/lib/windows/panel-layout.ts'
import type { PanelId } from '@/lib/windows/panels.ts'

export const useDraggedPanel = create<{ readonly panel: PanelId | null }>(() => ({ panel: null }))

export const dragHandlers = (panel: PanelId) => ({
  onDragStart(event: DragEvent) {
    event.dataTransfer.effectAllowed = 'move'
    // A custom type, because plain text would be inserted if dropped into the text.
    event.dataTransfer.setData('application/x-diptych-panel', panel)
    useDraggedPanel.setState({ panel })
  },
  onDragEnd: () => useDraggedPanel.setState({ panel: null }),
})

/** Handlers for an element that accepts a dragged panel. They ignore anything else that is dragged over it. */
export const dropHandlers = (onDropPanel: (panel: PanelId, event: DragEvent) => void) => ({
  onDragOver(event: DragEvent) {
    if (useDraggedPanel.getState().panel === null) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
  },
  onDrop(event: DragEvent) {
    const { panel } = useDraggedPanel.getState()
    if (panel === null) return
    event.preventDefault()
    useDraggedPanel.setState({ panel: null })
    onDropPanel(panel, event)
  },
})

/** The upper half means before the element, the lower half after it. */
export function isInLowerHalf({ clientY, currentTarget }: DragEvent): boolean {
  const { top, height } = currentTarget.getBoundingClientRect()
  return clientY > top + height / 2
}

/** @param index In the column as it is now, with the dragged panel still in it. */
export function dropPanelAt(layout: PanelLayout, panel: PanelId, side: DockSide, index: number): PanelLayout {
  const from = dockPositionOf(layout, panel)
  const shift = from?.side === side && from.index < index ? 1 : 0
  return movePanel(layout, panel, { side, index: index - shift })
}
