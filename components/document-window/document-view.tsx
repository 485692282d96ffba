'use client'

import { useRef, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { DockProvider } from '@/components/dock/dock-provider.tsx'
import { DockArea } from '@/components/dock/dock-area.tsx'
import { LostWindows } from '@/components/dock/lost-windows.tsx'
import { canWrite } from '@/components/opening/can-write.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { useFollowedEditor } from '@/components/following/use-followed-editor.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { JoinOffer } from '@/components/profile/join-offer.tsx'
import { PageTitle } from '@/components/opening/page-title.tsx'
import { useDocumentCommands } from './use-document-commands.ts'
import { OwnerStorageNotice } from '@/components/storage/owner-storage-notice.tsx'
import { undoOf } from '@/components/undo/undo-of.ts'
import { useUndo } from '@/components/undo/use-undo.ts'
import { useAuthorCommand } from '@/components/editor/authors/use-author-command.ts'
import { Announcer } from '@/components/editor/save-state/announcer.tsx'
import { EditorHeader } from './editor-header.tsx'
import { focusTextStart } from '@/components/editor/focus-text.ts'
import { ConnectionBanner } from '@/components/editor/save-state/connection-banner.tsx'
import { useFoundText } from '@/components/search/use-found-text.ts'
import { StoppedBanner } from '@/components/editor/save-state/stopped-banner.tsx'
import { TextEditorContent, useTextEditor } from '@/components/editor/text-editor.tsx'
import { useHasLasted } from '@/components/ui/use-has-lasted.ts'
import { TitleField } from '@/components/editor/title/title-field.tsx'
import { useTextForms } from '@/components/editor/menus/text-forms.tsx'
import { useTextCommands } from '@/components/editor/menus/use-text-commands.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

const loadAuthorBar = () => import('@/components/editor/authors/author-bar.tsx')

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
  const isDisconnected = useHasLasted(status.link.state !== 'up')
  useDocumentCommands(document, 'text')
  useFoundText(opened)
  useUndo(opened)
  const { actions, forms } = useTextForms({ editor, opened, user })
  useTextCommands({ opened, editor, editable, ...actions })
  const [showsAuthors, setShowsAuthors] = useState(false)
  const hideAuthors = () => setShowsAuthors(false)
  useAuthorCommand(showsAuthors, setShowsAuthors)
  return (
    <>
      <a href="#text" className="skip-link" onClick={() => editor.commands.focus()}>
        {editorStrings.skipToText}
      </a>
      <EditorHeader
        id={id}
        opened={opened}
        status={status}
        role={role}
        titleField={titleField}
        isDisconnected={isDisconnected}
        editor={editable ? editor : null}
        {...actions}
      />
      <DockArea>
        <main
          className={`text-column pt-[6vh] ${showsAuthors ? 'min-h-[calc(100dvh-var(--header-height,0px)-1px)]' : ''}`}
        >
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
            <TextEditorContent editor={editor} id="text" hasCommands {...actions} />
          </div>
          {showsAuthors && (
            <LazyComponent
              load={loadAuthorBar}
              props={{ document: id, opened, editor, onHide: hideAuthors }}
              onLoadFailed={hideAuthors}
            />
          )}
          {forms}
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

/** A new document has no title, and one line without a letter. */
function isEmpty({ doc }: OpenDocument): boolean {
  const text = doc.getXmlFragment('default')
  return doc.getText('title').length === 0 && text.length <= 1 && !/>[^<]/.test(text.toJSON())
}
