import type { Extensions } from '@tiptap/core'
import Collaboration from '@tiptap/extension-collaboration'
import CollaborationCaret from '@tiptap/extension-collaboration-caret'
import { Placeholder } from '@tiptap/extensions/placeholder'
import { yCursorPluginKey } from '@tiptap/y-tiptap'
import type { OpenDocument } from '@/lib/client.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { remoteCaretUpdates, caretPersonId, remoteCaretRenderers } from './binding/remote-carets.ts'
import { caretNames } from './binding/caret-names.ts'
import { UndoManagerAdapter, undoStateUpdates } from './binding/undo-manager-adapter.ts'
import { highlightExtension, highlightPluginKeys } from './highlights/highlights.ts'
import { NodeReuse } from './binding/node-reuse.ts'
import { SchemaGuard } from './binding/schema-guard.ts'
import { schemaExtensions } from './schema-extensions.ts'
import { textFitOf } from './binding/text-fit.ts'
import { TextReading } from './binding/text-reading.ts'
import { EmptyBlockText } from './binding/empty-block-text.ts'
import { OwnCaret, ownCaretFocus } from './binding/own-caret.ts'
import { commentHighlights } from './highlights/comment-highlights.ts'
import { searchHighlights } from './highlights/search-highlights.ts'
import { PasteExtension } from './paste/paste-extension.ts'
import { PendingInput } from './binding/pending-input.ts'
import { PlainTextCopy } from './paste/plain-text-copy.ts'
import { personAppearancesOf } from './people/person-appearances.ts'
import { StaleText } from './binding/stale-text.ts'
import { LongParagraphs, longParagraphsKey } from './long-paragraphs.ts'
import { TabKey } from './tab-key.ts'
import { strings } from '@/lib/strings/editor.ts'

export function extensionsFor(opened: OpenDocument): Extensions {
  const { doc, awareness } = opened
  const fragment = doc.getXmlFragment('default')
  const people = personAppearancesOf(awareness)
  const caret = new OwnCaret(awareness)
  const undo = undoOf(opened)
  return [
    ...schemaExtensions,
    StaleText.configure({
      fragment,
      decorationPlugins: [yCursorPluginKey, longParagraphsKey, ...highlightPluginKeys],
    }),
    PendingInput.configure({ doc, beforeRemoteEdits: opened.beforeRemoteEdits }),
    PasteExtension,
    PlainTextCopy,
    Placeholder.configure({ placeholder: strings.text.placeholder }),
    SchemaGuard.configure({ fit: textFitOf(doc) }),
    Collaboration.configure({
      fragment,
      // With a mapping the binding draws nothing by itself: NodeReuse does, which reads without writing.
      ySyncOptions: { mapping: new Map() },
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
    LongParagraphs,
    TabKey,
  ]
}

/** For a text with parts that the binding would delete: it is read, and not bound. */
export function readingExtensionsFor(opened: OpenDocument): Extensions {
  return [
    ...schemaExtensions,
    TextReading.configure({ fragment: opened.doc.getXmlFragment('default') }),
    PlainTextCopy,
    highlightExtension('commentMarks', commentHighlights(opened)),
    highlightExtension('foundMarks', searchHighlights(opened)),
  ]
}
