/** Loaded when somebody asks for it. */
import { updateYFragment } from '@tiptap/y-tiptap'
import * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import { restoreVersion } from '@/lib/text/restore.ts'
import { toast } from '@/components/ui/toast.ts'
import { runUndoable } from '@/components/undo/run-undoable.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { textSchema } from '../schema-extensions.ts'
import { TextReader } from './text-reader.ts'
import { strings } from '@/lib/strings/foreign-text.ts'

/** Replaces the parts that the schema does not know by what is shown of them, in one step of undo. */
export function keepShownText(opened: OpenDocument): void {
  const { takeBack } = runUndoable(undoOf(opened), strings.kept.step, () => writeShownText(opened.doc))
  toast(strings.kept.done, { action: { label: strings.kept.undo, onClick: takeBack } })
}

export function writeShownText(doc: Y.Doc): void {
  const shown = new Y.Doc()
  const node = new TextReader(textSchema).readText(doc.getXmlFragment('default'))
  updateYFragment(shown, shown.getXmlFragment('default'), node, { mapping: new Map(), isOMark: new Map() })
  shown.getText('title').insert(0, doc.getText('title').toJSON())
  restoreVersion(doc, shown)
}
