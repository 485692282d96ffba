import type { Editor } from '@tiptap/core'

/** Runs a change as an undo step of its own, however soon it follows on a letter. */
export function runAsStep({ storage }: Editor, change: () => void): void {
  const manager = storage.sharedUndo.undo?.manager
  manager?.stopCapturing()
  change()
  manager?.stopCapturing()
}
