import { type Extensions, getSchema } from '@tiptap/core'
import Collaboration from '@tiptap/extension-collaboration'
import CollaborationCaret from '@tiptap/extension-collaboration-caret'
import { TaskList } from '@tiptap/extension-list'
import { Placeholder } from '@tiptap/extensions'
import StarterKit from '@tiptap/starter-kit'
import type { OpenDocument } from '@/lib/client.ts'
import { undoOf } from '@/components/undo/undo-of'
import { caretColours, caretPerson, caretsIn } from './caret-colours'
import { caretNames } from './caret-names'
import { EditorUndo, undoWatch } from './editor-undo'
import { highlights } from './highlights'
import { KeptNodes } from './kept-nodes'
import { KnownParts, type Names } from './known-parts'
import { OneText } from './one-text'
import { OwnCaret, ownCaretWatch } from './own-caret'
import { commentMarks, foundMarks } from './panel-marks'
import { Paste } from './paste'
import { PendingInput } from './pending-input'
import { PlainCopy } from './plain-copy'
import { presentPeople } from './present-people'
import { SafeCodeBlock, SafeLink } from './safe-markup'
import { StaleText } from './stale-text'
import { TabKey } from './tab-key'
import { WrittenTaskItem } from './written-task'
import { strings } from '@/lib/strings/editor.ts'

/** What a text may consist of. */
const textParts: Extensions = [
  StarterKit.configure({
    // Collaboration brings an undo that takes back only one's own edits.
    undoRedo: false,
    // It would write a paragraph into the shared text by itself, once in every window that opens it.
    trailingNode: false,
    link: false,
    codeBlock: false,
    // Drawn, and not written: which way a block runs follows from its letters. A paragraph
    // has none: an item or a quote would not go by its letters. app/text.css lets each paragraph run by itself.
    heading: { HTMLAttributes: { dir: 'auto' } },
    listItem: { HTMLAttributes: { dir: 'auto' } },
    blockquote: { HTMLAttributes: { dir: 'auto' } },
  }),
  SafeLink,
  SafeCodeBlock.configure({ enableTabIndentation: true, tabSize: 2 }),
  TaskList,
  WrittenTaskItem.configure({
    nested: true,
    HTMLAttributes: { dir: 'auto' },
    a11y: { checkboxLabel: (node) => node.textContent || strings.text.emptyTask },
  }),
]

export const knownNames: Names = getSchema(textParts)

export function extensionsFor(opened: OpenDocument): Extensions {
  const { doc, awareness } = opened
  const fragment = doc.getXmlFragment('default')
  const people = presentPeople(awareness)
  const caret = new OwnCaret(awareness)
  const undo = undoOf(opened)
  return [
    ...textParts,
    StaleText.configure({ fragment, decorationPlugins: ['commentMarks', 'foundMarks'] }),
    PendingInput.configure({ doc, beforeRemoteEdits: opened.beforeRemoteEdits }),
    Paste,
    PlainCopy,
    Placeholder.configure({ placeholder: strings.text.placeholder }),
    KnownParts.configure({ doc }),
    Collaboration.configure({
      fragment,
      yUndoOptions: { undoManager: new EditorUndo(undo) },
    }),
    KeptNodes,
    undoWatch(undo),
    OneText.configure({ doc }),
    CollaborationCaret.configure({
      provider: { awareness: caret.awareness },
      user: {}, // which tellUser says
      ...caretsIn(people),
    }),
    caretColours(people),
    caretNames(awareness, caretPerson),
    ownCaretWatch(caret),
    highlights('commentMarks', commentMarks(opened)),
    highlights('foundMarks', foundMarks(opened)),
    TabKey,
  ]
}
