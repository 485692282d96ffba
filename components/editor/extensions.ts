import { type Extensions, getSchema } from '@tiptap/core'
import Collaboration from '@tiptap/extension-collaboration'
import CollaborationCaret from '@tiptap/extension-collaboration-caret'
import { TaskList } from '@tiptap/extension-list'
import { Placeholder } from '@tiptap/extensions'
import StarterKit from '@tiptap/starter-kit'
import type { OpenDocument } from '@/lib/client.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { remoteCaretUpdates, caretPersonId, remoteCaretRenderers } from './remote-carets.ts'
import { caretNames } from './caret-names.ts'
import { UndoManagerAdapter, undoStateUpdates } from './undo-manager-adapter.ts'
import { highlightExtension } from './highlights.ts'
import { NodeReuse } from './node-reuse.ts'
import { SchemaGuard, type SchemaNames } from './schema-guard.ts'
import { EmptyBlockText } from './empty-block-text.ts'
import { OwnCaret, ownCaretFocus } from './own-caret.ts'
import { commentHighlights, searchHighlights } from './panel-highlights.ts'
import { PasteExtension } from './paste-extension.ts'
import { PendingInput } from './pending-input.ts'
import { PlainTextCopy } from './plain-text-copy.ts'
import { personAppearancesOf } from './person-appearances.ts'
import { SafeCodeBlock, SafeLink } from './safe-markup.ts'
import { StaleText } from './stale-text.ts'
import { TabKey } from './tab-key.ts'
import { MarkdownTaskItem } from './markdown-task-rule.ts'
import { strings } from '@/lib/strings/editor.ts'

/** The extensions that define what a text may contain. */
const schemaExtensions: Extensions = [
  StarterKit.configure({
    // Collaboration has its own undo, which takes back only this person's edits.
    undoRedo: false,
    // It would add a paragraph to the shared text by itself, once in every window that opens it.
    trailingNode: false,
    link: false,
    codeBlock: false,
    // Only drawn, not stored: the direction of a block follows from its letters. A paragraph gets no attribute, because an item or a quote
    // would then ignore its letters. app/text.css gives each paragraph its own direction.
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
      user: {}, // set by broadcastUser
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
