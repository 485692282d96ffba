'use client'

import { useState } from 'react'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { AnotherDocument } from './another-document.tsx'
import { DocumentPicker } from './document-picker.tsx'
import { storeChosenDocument, readChosenDocument } from './chosen-document.ts'
import { FollowedText } from './followed-text.tsx'
import { SecondText } from './second-text.tsx'

/** A second editor: for the same text at another position, or for another document. */
export default function EditorPanel({ document, opened, status, role, user, docked }: PanelProps) {
  const [chosen, setChosen] = useState(() => readChosenDocument(document) ?? document)
  const choose = (id: string) => {
    storeChosenDocument(document, id)
    setChosen(id)
  }
  const SameDocumentText = docked ? SecondText : FollowedText
  return (
    <div className="@container flex min-h-full flex-col">
      <DocumentPicker
        document={document}
        title={opened.doc.getText('title')}
        value={chosen}
        onChoose={choose}
      />
      {chosen === document ? (
        <SameDocumentText opened={opened} status={status} role={role} user={user} />
      ) : (
        <AnotherDocument key={chosen} id={chosen} user={user} />
      )}
    </div>
  )
}
