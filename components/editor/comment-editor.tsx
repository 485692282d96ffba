'use client'

import { Popover } from '@base-ui/react/popover'
import type { Editor } from '@tiptap/react'
import { useMemo, useSyncExternalStore } from 'react'
import { toast } from '@/components/ui/toast.ts'
import type { OpenDocument } from '@/lib/client.ts'
import { threadAnchorOf } from '@/lib/comments/anchor.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { startThread } from '@/lib/comments/edit-threads.ts'
import type { ThreadAnchor, CommentAuthor } from '@/lib/comments/stored-thread.ts'
import { linesOf } from '@/lib/text/lines.ts'
import { treeOf } from '@/lib/text/tree.ts'
import { unknownUserId } from '@/components/opening/own-presence-user.ts'
import { CommentComposer } from '@/components/panels/comments/composer.tsx'
import { lineRangeBetween } from './highlights.ts'
import { selectionRect } from './link-editor.tsx'
import { showThread } from './panel-highlights.ts'
import { strings } from '@/lib/strings/editor.ts'

/** Begins a comment on the selected text. */
export function startComment(editor: Editor, { doc }: OpenDocument): void {
  const { from, to } = editor.state.selection
  const lines = linesOf(treeOf(doc.getXmlFragment('default')))
  const anchor = threadAnchorOf(lines, lineRangeBetween(editor.state.doc, from, to))
  if (anchor) threadFocusOf(doc).set({ draft: anchor })
  else toast(strings.commentForm.nothingSelected)
}

interface CommentEditorProps {
  readonly editor: Editor
  readonly opened: OpenDocument
  readonly user: CommentAuthor
}

/** The small form at the selection for writing a comment. */
export function CommentEditor({ editor, opened, user }: CommentEditorProps) {
  const threadFocus = threadFocusOf(opened.doc)
  const { draft } = useSyncExternalStore(threadFocus.subscribe, threadFocus.get)
  const selectionAnchor = useMemo(() => ({ getBoundingClientRect: () => selectionRect(editor) }), [editor])
  const close = () => {
    threadFocus.set({ draft: null })
    editor.commands.focus()
  }
  const send = (anchor: ThreadAnchor, text: string) => {
    // The server accepts a comment only from the person who signs it.
    if (user.id === unknownUserId) throw new RangeError(strings.commentForm.noName)
    const thread = startThread(opened.comments.doc, anchor, user, text)
    close()
    showThread(opened, thread)
  }
  return (
    <Popover.Root open={draft !== null} onOpenChange={(open) => !open && close()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={selectionAnchor}
          sideOffset={8}
          align="start"
          collisionPadding={8}
          className="z-50"
        >
          <Popover.Popup
            aria-label={strings.commentForm.label}
            finalFocus={() => editor.view.dom}
            className="popup-motion w-[min(24rem,calc(100vw-1rem))] rounded-xl border border-line bg-raised p-3 pt-1 shadow-float outline-none"
          >
            {draft && (
              <CommentComposer
                label={strings.commentForm.label}
                send={strings.commentForm.send}
                onSend={(text) => send(draft, text)}
                onCancel={close}
              />
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
