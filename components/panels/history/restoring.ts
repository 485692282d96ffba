import * as Y from 'yjs'
import { restoreVersion } from '@/lib/text/restore.ts'
import { settles } from '@/lib/undo/origins.ts'

const RESTORED = Symbol('restored')

export interface Restored {
  undo(): void
  /** Nobody will want to undo it from here any more. */
  forget(): void
}

/** Makes an earlier text the present one. What others write afterwards outlives an undo. */
export function restore(doc: Y.Doc, version: Y.Doc): Restored {
  const roots = [doc.getXmlFragment('default'), doc.getText('title')]
  const manager = new Y.UndoManager(roots, { trackedOrigins: new Set([RESTORED]) })
  settles(manager)
  restoreVersion(doc, version, RESTORED)
  return {
    undo() {
      manager.undo()
      manager.destroy()
    },
    forget: () => manager.destroy(),
  }
}
