'use client'

import { useEditorState, type Editor } from '@tiptap/react'
import { useState, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { CommentAuthor } from '@/lib/comments/stored-thread.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { isBehindLoneLink } from '@/components/blocks/link-card/link-card-commands.ts'
import { LazyOnDemand } from '@/components/ui/lazy-component.tsx'
import { toast, toastNotLoaded } from '@/components/ui/toast.ts'
import { focusText } from '../focus-text.ts'
import { startComment } from '../highlights/start-comment.ts'
import type { CommentFormProps } from './comment-form.tsx'
import { LazyForm } from './lazy-form.tsx'
import type { LinkBubbleProps } from './link-bubble.tsx'
import { loadCommentForm, loadLinkForm } from './load-forms.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

interface TextFormsProps {
  readonly editor: Editor
  readonly opened: OpenDocument
  readonly user: CommentAuthor
}

/** What buttons and keys of an editor open. */
export interface TextFormActions {
  readonly onLink: () => void
  readonly onComment: () => void
  readonly onCopyLink: () => void
}

/** The forms beside the selection of an editor, and what opens them. */
export function useTextForms(props: TextFormsProps) {
  const { editor, opened } = props
  const [isLinkEditorOpen, setLinkEditorOpen] = useState(false)
  const onLink = () => {
    if (holdsLinks(editor)) setLinkEditorOpen(true)
    else toast(editorStrings.linkForm.notInCode)
  }
  const actions: TextFormActions = {
    onLink,
    onComment: () => startComment(editor, opened),
    onCopyLink: () => void copyLink(editor, opened.handle.document),
  }
  const forms = (
    <>
      <LinkAddress editor={editor} document={opened.handle.document} onEdit={onLink} />
      <LinkEditor editor={editor} open={isLinkEditorOpen} onOpenChange={setLinkEditorOpen} />
      <CommentEditor {...props} />
    </>
  )
  return { actions, forms }
}

function holdsLinks({ state: { doc, schema, selection } }: Editor): boolean {
  let isFound = false
  doc.nodesBetween(selection.from, selection.to, ({ inlineContent, type }) => {
    isFound ||= inlineContent && type.allowsMarkType(schema.marks.link!)
    return !isFound
  })
  return isFound
}

async function copyLink(editor: Editor, document: string): Promise<void> {
  const code = await import('../block-actions/copy-block-link.ts').catch(toastNotLoaded)
  await code?.copyBlockLink(editor, document)
}

const loadLinkBubble = () => import('./link-bubble.tsx')

function LinkAddress(props: LinkBubbleProps) {
  const { editor } = props
  const isInLink = useEditorState({
    editor,
    selector: ({ editor: now }) => now.isActive('link') || isBehindLoneLink(now.state),
  })
  return <LazyOnDemand isWanted={isInLink} load={loadLinkBubble} props={props} />
}

interface LinkEditorProps {
  readonly editor: Editor
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

function LinkEditor({ editor, open, onOpenChange }: LinkEditorProps) {
  const close = () => {
    onOpenChange(false)
    focusText(editor)
  }
  const label = editorStrings.linkForm.label
  return <LazyForm load={loadLinkForm} props={{ editor }} label={label} open={open} onClose={close} />
}

/** The form for the comment that `startComment` began in this editor. */
function CommentEditor({ editor, opened, user }: Omit<CommentFormProps, 'draft'>) {
  const threadFocus = threadFocusOf(opened.doc)
  const { draft: begun, draftEditor } = useSyncExternalStore(threadFocus.subscribe, threadFocus.get)
  const draft = draftEditor === editor ? begun : null
  const close = () => {
    threadFocus.set({ draft: null })
    focusText(editor)
  }
  return (
    <LazyForm
      load={loadCommentForm}
      props={{ editor, opened, user, draft }}
      label={editorStrings.commentForm.label}
      isMultiline
      open={draft !== null}
      onClose={close}
    />
  )
}
