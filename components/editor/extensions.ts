import { type Extensions, getSchema } from '@tiptap/core'
import Collaboration from '@tiptap/extension-collaboration'
import CollaborationCaret from '@tiptap/extension-collaboration-caret'
import { TaskList } from '@tiptap/extension-list'
import { Placeholder } from '@tiptap/extensions'
import StarterKit from '@tiptap/starter-kit'
import type { OpenDocument } from '@/lib/client.ts'
import { undoOf } from '@/components/undo/undo-of'
import { remoteCaretUpdates, caretPersonId, remoteCaretRenderers } from './remote-carets'
import { caretNames } from './caret-names'
import { UndoManagerAdapter, undoStateUpdates } from './undo-manager-adapter'
import { highlightExtension } from './highlights'
import { NodeReuse } from './node-reuse'
import { SchemaGuard, type SchemaNames } from './schema-guard'
import { EmptyBlockText } from './empty-block-text'
import { OwnCaret, ownCaretFocus } from './own-caret'
import { commentHighlights, searchHighlights } from './panel-highlights'
import { PasteExtension } from './paste-extension'
import { PendingInput } from './pending-input'
import { PlainTextCopy } from './plain-text-copy'
import { personAppearancesOf } from './person-appearances'
import { SafeCodeBlock, SafeLink } from './safe-markup'
import { StaleText } from './stale-text'
import { TabKey } from './tab-key'
import { MarkdownTaskItem } from './markdown-task-rule'
import { strings } from '@/lib/strings/editor.ts'

/** What a text may consist of. */
const schemaExtensions: Extensions = [
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
  MarkdownTaskItem.configure({
    nested: true,
    HTMLAttributes: { dir: 'auto' },
    a11y: { checkboxLabel: (node) => node.textContent || strings.text.emptyTask },
  }),
]

export const schemaNames: SchemaNames = getSchema(schemaExtensions)

export function extensionsFor(opened: OpenDocument): Extensions {
  const { doc, awareness } = opened
  const fragment = doc.getXmlFragment('default')
  const people = personAppearancesOf(awareness)
  const caret = new OwnCaret(awareness)
  const undo = undoOf(opened)
  return [
    ...schemaExtensions,
    StaleText.configure({ fragment, decorationPlugins: ['commentMarks', 'foundMarks'] }),
    PendingInput.configure({ doc, beforeRemoteEdits: opened.beforeRemoteEdits }),
    PasteExtension,
    PlainTextCopy,
    Placeholder.configure({ placeholder: strings.text.placeholder }),
    SchemaGuard.configure({ doc }),
    Collaboration.configure({
      fragment,
      yUndoOptions: { undoManager: new UndoManagerAdapter(undo) },
    }),
    NodeReuse,
    undoStateUpdates(undo),
    EmptyBlockText.configure({ doc }),
    CollaborationCaret.configure({
      provider: { awareness: caret.awareness },
      user: {}, // which tellUser says
      ...remoteCaretRenderers(people),
    }),
    remoteCaretUpdates(people),
    caretNames(awareness, caretPersonId),
    ownCaretFocus(caret),
    highlightExtension('commentMarks', commentHighlights(opened)),
    highlightExtension('foundMarks', searchHighlights(opened)),
    TabKey,
  ]
}
