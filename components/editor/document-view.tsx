'use client'

import { useEditorState, type Editor } from '@tiptap/react'
import { useRef, useState, useSyncExternalStore } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { threadFocusOf } from '@/lib/comments/thread-focus.ts'
import { DockProvider } from '@/components/dock/dock-provider.tsx'
import { DockArea } from '@/components/dock/dock-area.tsx'
import { LostWindows } from '@/components/dock/lost-windows.tsx'
import { canWrite } from '@/components/opening/can-write.ts'
import type { OpenedDocumentProps } from '@/components/opening/document-opening.tsx'
import { useFollowedEditor } from '@/components/following/use-followed-editor.ts'
import { JoinOffer } from '@/components/profile/join-offer.tsx'
import { PageTitle } from '@/components/opening/page-title.tsx'
import { useDocumentCommands } from '@/components/opening/use-document-commands.ts'
import { OwnerStorageNotice } from '@/components/storage/owner-storage-notice.tsx'
import { LazyOnDemand } from '@/components/ui/lazy-component.tsx'
import { undoOf } from '@/components/undo/undo-of.ts'
import { useUndo } from '@/components/undo/use-undo.ts'
import { Announcer } from './save-state/announcer.tsx'
import type { CommentFormProps } from './menus/comment-form.tsx'
import { EditorHeader } from './editor-header.tsx'
import { focusText, focusTextStart } from './focus-text.ts'
import { loadCommentForm, loadLinkForm } from './menus/load-forms.ts'
import { ConnectionBanner } from './save-state/connection-banner.tsx'
import type { LinkBubbleProps } from './menus/link-bubble.tsx'
import { LazyForm } from './menus/lazy-form.tsx'
import { startComment } from './highlights/start-comment.ts'
import { StoppedBanner } from './save-state/stopped-banner.tsx'
import { TextEditorContent, useTextEditor } from './text-editor.tsx'
import { LINK_GRACE_MS, useHasLasted } from './save-state/use-has-lasted.ts'
import { TitleField } from './title/title-field.tsx'
import { useTextCommands } from './menus/use-text-commands.ts'
import { strings } from '@/lib/strings/editor.ts'

/** A document on screen: header, title, text, and the panels beside it. */
export function DocumentView(document: OpenedDocumentProps) {
  return (
    <DockProvider document={document}>
      <TextWindow {...document} />
    </DockProvider>
  )
}

function TextWindow(document: OpenedDocumentProps) {
  const { id, opened, status, role, user } = document
  const title = opened.doc.getText('title')
  const editable = canWrite(document)
  const editor = useTextEditor(opened, editable)
  useFollowedEditor(editor)
  const titleField = useRef<HTMLTextAreaElement>(null)
  const [isLinkEditorOpen, setLinkEditorOpen] = useState(false)
  const isDisconnected = useHasLasted(status.link.state !== 'up', LINK_GRACE_MS)
  useDocumentCommands(document, 'text')
  useUndo(opened)
  const onComment = () => startComment(editor, opened)
  useTextCommands({ opened, editor, editable, onLink: () => setLinkEditorOpen(true), onComment })
  return (
    <>
      <a href="#text" className="skip-link" onClick={() => editor.commands.focus()}>
        {strings.skipToText}
      </a>
      <EditorHeader
        id={id}
        opened={opened}
        status={status}
        role={role}
        titleField={titleField}
        isDisconnected={isDisconnected}
        editor={editable ? editor : null}
        onLink={() => setLinkEditorOpen(true)}
        onComment={onComment}
      />
      <DockArea>
        <main className="text-column pt-[6vh]">
          <PageTitle title={title} />
          <TitleField
            field={titleField}
            title={title}
            undo={undoOf(opened)}
            readOnly={!editable}
            isNewDocument={editable && isEmpty(opened)}
            onDone={() => focusTextStart(editor)}
          />
          <div className="mt-6">
            <TextEditorContent editor={editor} />
          </div>
          <LinkAddress editor={editor} onEdit={() => setLinkEditorOpen(true)} />
          <LinkEditor editor={editor} open={isLinkEditorOpen} onOpenChange={setLinkEditorOpen} />
          <CommentEditor editor={editor} opened={opened} user={user} />
          <LostWindows />
          {status.document.state !== 'refused' && <JoinOffer document={id} />}
          {role === 'owner' && <OwnerStorageNotice />}
          <StoppedBanner editor={editor} opened={opened} />
          <ConnectionBanner {...document} isDisconnected={isDisconnected} />
          <Announcer opened={opened} status={status} isDisconnected={isDisconnected} />
        </main>
      </DockArea>
    </>
  )
}

const loadLinkBubble = () => import('./menus/link-bubble.tsx')

function LinkAddress(props: LinkBubbleProps) {
  const { editor } = props
  const isInLink = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('link') })
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
  const label = strings.linkForm.label
  return <LazyForm load={loadLinkForm} props={{ editor }} label={label} open={open} onClose={close} />
}

/** The form for the comment that `startComment` began. */
function CommentEditor({ editor, opened, user }: Omit<CommentFormProps, 'draft'>) {
  const threadFocus = threadFocusOf(opened.doc)
  const { draft } = useSyncExternalStore(threadFocus.subscribe, threadFocus.get)
  const close = () => {
    threadFocus.set({ draft: null })
    focusText(editor)
  }
  return (
    <LazyForm
      load={loadCommentForm}
      props={{ editor, opened, user, draft }}
      label={strings.commentForm.label}
      isMultiline
      open={draft !== null}
      onClose={close}
    />
  )
}

/** A new document has no title, and one line without a letter. */
function isEmpty({ doc }: OpenDocument): boolean {
  const text = doc.getXmlFragment('default')
  return doc.getText('title').length === 0 && text.length <= 1 && !/>[^<]/.test(text.toJSON())
}
