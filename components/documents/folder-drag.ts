'use client'

/** Drags documents and folders onto folders. Who uses no pointer has the dialog “Move to folder…”. */
import { type DragEvent, useState } from 'react'
import type { FolderEntry } from '@/components/http-api.ts'
import type { Movable } from './use-folder-actions.ts'

/** Other pages' drags have other types. */
const DRAG_TYPE = 'application/x-diptych-order'

/** Remembers the entry that a person drags in this window: a page may not read the data of a drag before the drop. */
let dragged: Movable | null = null

export const dragProps = (movable: Movable) => ({
  draggable: true,
  onDragStart(event: DragEvent) {
    event.stopPropagation()
    dragged = movable
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData(DRAG_TYPE, '')
  },
  onDragEnd() {
    dragged = null
  },
})

/** @param target Null for no folder. */
export function useFolderDrop(
  target: FolderEntry | null,
  onMove: (movable: Movable, target: FolderEntry | null) => void,
) {
  const [isOver, setOver] = useState(false)
  const accepts = ({ dataTransfer }: DragEvent) => dragged !== null && dataTransfer.types.includes(DRAG_TYPE)
  return {
    isOver,
    dropProps: {
      onDragOver(event: DragEvent) {
        if (!accepts(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop(event: DragEvent) {
        setOver(false)
        if (!accepts(event)) return
        event.preventDefault()
        onMove(dragged!, target)
      },
    },
  }
}
