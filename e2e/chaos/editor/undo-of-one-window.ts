import type * as Y from 'yjs'
import { NoteChannel } from '../../../lib/sync/note-channel.ts'
import { Undo } from '../../../lib/undo/undo.ts'

/** The page's undo, in a window without neighbours. A step ends where the run says so, not by the clock. */
export const createUndo = (doc: Y.Doc): Undo =>
  new Undo({
    body: doc.getXmlFragment('default'),
    title: doc.getText('title'),
    notes: new NoteChannel(),
    windowLabel: '',
    captureMs: Infinity,
  })
