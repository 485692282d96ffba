'use client'

import { useRef, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { DockProvider } from '@/components/dock/dock-provider'
import { Docks } from '@/components/dock/docks'
import { LostWindows } from '@/components/dock/lost-windows'
import { mayWrite } from '@/components/opening/may-write'
import type { Opened } from '@/components/opening/opened'
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
import { LinkBanner } from './link-banner'
import { LinkBubble } from './link-bubble'
import { LinkEditor } from './link-editor'
import { StoppedBanner } from './stopped-banner'
import { Text, useTextEditor } from './text-editor'
import { GRACE_MS, useLasting } from './timing'
import { TitleField } from './title-field'
import { useTextCommands } from './use-text-commands'
import { strings } from '@/lib/strings/editor.ts'

/** A document on screen: header, title, text, and the panels beside it. */
export function Workspace(document: Opened) {
  return (
    <DockProvider document={document}>
      <TextWindow {...document} />
    </DockProvider>
  )
}

function TextWindow(document: Opened) {
  const { id, opened, status, role, user } = document
  const title = opened.doc.getText('title')
  const editable = mayWrite(document)
  const editor = useTextEditor(opened, editable)
  useFollowedEditor(editor)
  const titleField = useRef<HTMLTextAreaElement>(null)
  const [linking, setLinking] = useState(false)
  const cutOff = useLasting(status.link.state !== 'up', GRACE_MS)
  useDocumentCommands(document, 'text')
  useUndo(opened)
  const onComment = () => startComment(editor, opened)
  useTextCommands({ opened, editor, editable, onLink: () => setLinking(true), onComment })
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
        cutOff={cutOff}
        editor={editable ? editor : null}
        onLink={() => setLinking(true)}
        onComment={onComment}
      />
      <Docks>
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
            <Text editor={editor} />
          </div>
          <LinkBubble editor={editor} onEdit={() => setLinking(true)} />
          <LinkEditor editor={editor} open={linking} onOpenChange={setLinking} />
          <CommentEditor editor={editor} opened={opened} user={user} />
          <LostWindows />
          <JoinOffer document={id} />
          <StoppedBanner editor={editor} opened={opened} />
          <LinkBanner opened={opened} status={status} cutOff={cutOff} />
          <Announcer opened={opened} status={status} cutOff={cutOff} />
        </main>
      </Docks>
    </>
  )
}

/** A new document: no title, and one line without a letter. */
function isEmpty({ doc }: OpenDocument): boolean {
  const text = doc.getXmlFragment('default')
  return doc.getText('title').length === 0 && text.length <= 1 && !/>[^<]/.test(text.toJSON())
}
