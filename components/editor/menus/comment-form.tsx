'use client'

import type { Editor } from '@tiptap/react'
import type { OpenDocument } from '@/lib/client.ts'
import { startThread } from '@/lib/comments/edit-threads.ts'
import type { CommentAuthor, ThreadAnchor } from '@/lib/comments/stored-thread.ts'
import { unknownUserId } from '@/components/profile/own-presence-user.ts'
import { CommentComposer } from './composer.tsx'
import type { LazyFormProps } from './lazy-form.tsx'
import { showThread } from '../highlights/show-thread.ts'
import { SelectionForm } from './selection-form.tsx'
import { editorFormsStrings } from '@/lib/strings/editor-forms.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

export interface CommentFormProps {
  readonly editor: Editor
  readonly opened: OpenDocument
  readonly user: CommentAuthor
  /** Null while the form is closed. */
  readonly draft: ThreadAnchor | null
}

export default function CommentForm({
  editor,
  opened,
  user,
  draft,
  typed,
  ...form
}: CommentFormProps & LazyFormProps) {
  const send = (anchor: ThreadAnchor, text: string) => {
    // The server accepts a comment only from the person who signs it.
    if (user.id === unknownUserId) throw new RangeError(editorFormsStrings.commentForm.noName)
    const thread = startThread(opened.comments.doc, anchor, user, text)
    form.onClose()
    showThread(opened, thread)
  }
  return (
    <SelectionForm editor={editor} label={editorStrings.commentForm.label} {...form}>
      {draft && (
        <CommentComposer
          label={editorStrings.commentForm.label}
          sendLabel={editorFormsStrings.commentForm.send}
          initial={typed}
          onSend={(text) => send(draft, text)}
          onCancel={form.onClose}
        />
      )}
    </SelectionForm>
  )
}
