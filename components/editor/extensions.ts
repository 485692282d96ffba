import { type Extensions, getSchema } from '@tiptap/core'
import { Blockquote } from '@tiptap/extension-blockquote'
import { Bold } from '@tiptap/extension-bold'
import { Code } from '@tiptap/extension-code'
import Collaboration from '@tiptap/extension-collaboration'
import CollaborationCaret from '@tiptap/extension-collaboration-caret'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Heading } from '@tiptap/extension-heading'
import { HorizontalRule } from '@tiptap/extension-horizontal-rule'
import { Italic } from '@tiptap/extension-italic'
import { BulletList, ListItem, ListKeymap, OrderedList, TaskList } from '@tiptap/extension-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Strike } from '@tiptap/extension-strike'
import { Text } from '@tiptap/extension-text'
import { Underline } from '@tiptap/extension-underline'
import { Gapcursor } from '@tiptap/extensions/gap-cursor'
import { Placeholder } from '@tiptap/extensions/placeholder'
import type { OpenDocument } from '@/lib/client.ts'
import { DropCursor } from './drop-cursor.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { remoteCaretUpdates, caretPersonId, remoteCaretRenderers } from './remote-carets.ts'
import { caretNames } from './caret-names.ts'
import { UndoManagerAdapter, undoStateUpdates } from './undo-manager-adapter.ts'
import { highlightExtension } from './highlights.ts'
import { NodeReuse } from './node-reuse.ts'
import { SchemaGuard, type SchemaNames } from './schema-guard.ts'
import { EmptyBlockText } from './empty-block-text.ts'
import { OwnCaret, ownCaretFocus } from './own-caret.ts'
import { commentHighlights } from './comment-highlights.ts'
import { searchHighlights } from './search-highlights.ts'
import { PasteExtension } from './paste-extension.ts'
import { PendingInput } from './pending-input.ts'
import { PlainTextCopy } from './plain-text-copy.ts'
import { personAppearancesOf } from './person-appearances.ts'
import { SafeCodeBlock, SafeLink } from './safe-markup.ts'
import { StaleText } from './stale-text.ts'
import { TabKey } from './tab-key.ts'
import { MarkdownTaskItem } from './markdown-task-rule.ts'
import { strings } from '@/lib/strings/editor.ts'

/**
 * Drawn and not stored: the direction of a block follows from its letters. A paragraph gets no attribute, because an item or a quote would
 * then ignore its letters. app/text.css gives each paragraph its own direction.
 */
const ownDirection = { HTMLAttributes: { dir: 'auto' } }

/**
 * The extensions that define what a text may contain. They are Tiptap's StarterKit, in its order, without its undo, which would also take
 * back other people's edits, and without the paragraph that it adds to the end of the shared text, once in every window that opens it.
 */
const schemaExtensions: Extensions = [
  Bold,
  Blockquote.configure(ownDirection),
  BulletList,
  Code,
  Document,
  DropCursor,
  Gapcursor,
  HardBreak,
  Heading.configure(ownDirection),
  HorizontalRule,
  Italic,
  ListItem.configure(ownDirection),
  ListKeymap,
  OrderedList,
  Paragraph,
  Strike,
  Text,
  Underline,
  SafeLink,
  SafeCodeBlock.configure({ enableTabIndentation: true, tabSize: 2 }),
  TaskList,
  MarkdownTaskItem.configure({
    nested: true,
    ...ownDirection,
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
