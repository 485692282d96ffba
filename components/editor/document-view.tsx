'use client'

import { useRef, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { DockProvider } from '@/components/dock/dock-provider'
import { DockArea } from '@/components/dock/dock-area'
import { LostWindows } from '@/components/dock/lost-windows'
import { canWrite } from '@/components/opening/can-write'
import type { OpenedDocumentProps } from '@/components/opening/document-opening'
import { useFollowedEditor } from '@/components/following/use-followed-editor'
import { JoinOffer } from '@/components/profile/join-offer'
import { PageTitle } from '@/components/opening/page-title'
import { useDocumentCommands } from '@/components/opening/use-document-commands'
import { undoOf } from '@/components/undo/undo-of'
import { useUndo } from '@/components/undo/use-undo'
import { Announcer } from './announcer'
import { CommentEditor, startComment } from './comment-editor'
import { EditorHeader } from './editor-header'
import { focusTextStart } from './focus-text'
import { ConnectionBanner } from './connection-banner'
import { LinkBubble } from './link-bubble'
import { LinkEditor } from './link-editor'
import { StoppedBanner } from './stopped-banner'
import { TextEditorContent, useTextEditor } from './text-editor'
import { LINK_GRACE_MS, useHasLasted } from './use-has-lasted'
import { TitleField } from './title-field'
import { useTextCommands } from './use-text-commands'
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
        cutOff={isDisconnected}
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
            isFresh={editable && isEmpty(opened)}
            onDone={() => focusTextStart(editor)}
          />
          <div className="mt-6">
            <TextEditorContent editor={editor} />
          </div>
          <LinkBubble editor={editor} onEdit={() => setLinkEditorOpen(true)} />
          <LinkEditor editor={editor} open={isLinkEditorOpen} onOpenChange={setLinkEditorOpen} />
          <CommentEditor editor={editor} opened={opened} user={user} />
          <LostWindows />
          <JoinOffer document={id} />
          <StoppedBanner editor={editor} opened={opened} />
          <ConnectionBanner opened={opened} status={status} cutOff={isDisconnected} />
          <Announcer opened={opened} status={status} cutOff={isDisconnected} />
        </main>
      </DockArea>
    </>
  )
}

/** A new document has no title, and one line without a letter. */
function isEmpty({ doc }: OpenDocument): boolean {
  const text = doc.getXmlFragment('default')
  return doc.getText('title').length === 0 && text.length <= 1 && !/>[^<]/.test(text.toJSON())
}
