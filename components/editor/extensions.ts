import type { Extensions } from '@tiptap/core'
import type { OpenDocument } from '@/lib/client.ts'
import { codeHighlightingKey } from '@/components/blocks/code-block/code-highlighting-key.ts'
import { mentionContext } from '@/components/blocks/mention/mention-context.ts'
import { undoOf } from '@/components/undo/undo-of.ts'
import { authorMarksKey } from './authors/author-marks-key.ts'
import { caretNames } from '@/components/binding/caret-names.ts'
import { OwnCaret, ownCaretOf } from '@/components/binding/own-caret.ts'
import { PendingInput } from '@/components/binding/pending-input.ts'
import {
  caretPersonId,
  caretsKey,
  remoteCarets,
  remoteCaretUpdates,
} from '@/components/binding/remote-carets.ts'
import { pageSchemaExtensions } from './schema.ts'
import { SharedUndo } from '@/components/binding/shared-undo.ts'
import { TextSync } from '@/components/binding/text-sync.ts'
import { commentHighlights } from './highlights/comment-highlights.ts'
import { highlightExtension, highlightPluginKeys } from './highlights/highlights.ts'
import { searchHighlights } from './highlights/search-highlights.ts'
import { PasteExtension } from './paste/paste-extension.ts'
import { PlainTextCopy } from './paste/plain-text-copy.ts'
import { personAppearancesOf } from '@/components/profile/person-appearances.ts'
import { FormatChanges } from '@/components/binding/format-changes.ts'
import { HideFromReact } from './hide-from-react.ts'
import { Suggestions } from './suggestions/suggestion.ts'
import { LateKeys } from '@/components/blocks/late-keys.ts'
import { LongParagraphs, longParagraphsKey } from './long-paragraphs.ts'
import { Placeholder } from './placeholder.ts'
import { TabKey } from './tab-key.ts'

export function extensionsFor(opened: OpenDocument): Extensions {
  const { doc, awareness } = opened
  const people = personAppearancesOf(awareness)
  return [
    ...pageSchemaExtensions,
    TextSync.configure({
      text: doc.getXmlFragment('default'),
      decorationPlugins: [
        caretsKey,
        codeHighlightingKey,
        longParagraphsKey,
        authorMarksKey,
        ...highlightPluginKeys,
      ],
    }),
    PendingInput.configure({ doc, beforeRemoteEdits: opened.beforeRemoteEdits }),
    PasteExtension,
    PlainTextCopy,
    Placeholder,
    SharedUndo.configure({ undo: undoOf(opened) }),
    remoteCarets(awareness, people),
    remoteCaretUpdates(people),
    caretNames(awareness, caretPersonId),
    ownCaretOf(new OwnCaret(awareness)),
    highlightExtension('commentMarks', commentHighlights(opened)),
    highlightExtension('foundMarks', searchHighlights(opened)),
    LateKeys,
    LongParagraphs,
    Suggestions,
    FormatChanges,
    HideFromReact,
    mentionContext(opened),
    TabKey,
  ]
}
