'use client'

import type * as Y from 'yjs'
import { useDocuments } from '@/components/documents/document-queries.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { useYText } from '@/components/opening/page-title.tsx'
import { SelectField } from '@/components/ui/select-field.tsx'
import { secondEditorStrings } from '@/lib/strings/second-editor.ts'

interface DocumentPickerProps {
  /** The document of this window. */
  readonly document: string
  readonly title: Y.Text
  readonly value: string
  readonly onChoose: (id: string) => void
}

export function DocumentPicker({ document, title, value, onChoose }: DocumentPickerProps) {
  const ownTitle = shownTitle(useYText(title))
  const { data = [] } = useDocuments()
  const otherDocuments = data.filter((entry) => entry.id !== document)
  const isListed = value === document || otherDocuments.some((entry) => entry.id === value)
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-paper px-3 py-1.5 text-sm">
      <SelectField
        label={secondEditorStrings.picker.label}
        labelPlace="beside"
        value={value}
        choices={[
          [document, secondEditorStrings.picker.same(ownTitle)],
          ...otherDocuments.map((entry) => [entry.id, shownTitle(entry.title)] as const),
          ...(isListed ? [] : [[value, secondEditorStrings.picker.unlisted] as const]),
        ]}
        onChange={onChoose}
      />
    </div>
  )
}
