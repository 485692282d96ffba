'use client'

import { useId } from 'react'
import type * as Y from 'yjs'
import { useDocuments } from '@/components/documents/document-queries.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { useYText } from '@/components/opening/page-title.tsx'
import { secondEditorStrings } from '@/lib/strings/second-editor.ts'

interface DocumentPickerProps {
  /** The document of this window. */
  readonly document: string
  readonly title: Y.Text
  readonly value: string
  readonly onChoose: (id: string) => void
}

export function DocumentPicker({ document, title, value, onChoose }: DocumentPickerProps) {
  const id = useId()
  const ownTitle = shownTitle(useYText(title))
  const { data = [] } = useDocuments()
  const otherDocuments = data.filter((entry) => entry.id !== document)
  const isListed = value === document || otherDocuments.some((entry) => entry.id === value)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-paper px-3 py-1.5 text-sm">
      <label htmlFor={id} className="shrink-0 text-muted">
        {secondEditorStrings.picker.label}
      </label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
        className="h-8 min-w-0 flex-1 basis-56 rounded-lg border border-edge bg-transparent px-2 text-ellipsis"
      >
        <option value={document}>{secondEditorStrings.picker.same(ownTitle)}</option>
        {otherDocuments.map((entry) => (
          <option key={entry.id} value={entry.id}>
            {shownTitle(entry.title)}
          </option>
        ))}
        {!isListed && <option value={value}>{secondEditorStrings.picker.unlisted}</option>}
      </select>
    </div>
  )
}
