'use client'

import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { DocumentOptionsPopupProps } from './document-options-popup.tsx'
import { editorStrings } from '@/lib/strings/editor.ts'

const loadPopup = () => import('./document-options-popup.tsx')
const loadExportDialog = () => import('@/components/export/export-dialog.tsx')

interface DocumentOptionsProps extends Omit<DocumentOptionsPopupProps, 'onExport'> {
  readonly opened: OpenDocument
}

/** Renames, duplicates, exports or trashes the document from within, and leads to what belongs to the whole page. */
export function DocumentOptions({ opened, ...props }: DocumentOptionsProps) {
  const { trigger, Popup, popup } = usePopup<DocumentOptionsPopupProps>('menu', loadPopup)
  const { document, title, onRename } = props
  const [isExporting, setExporting] = useState(false)
  const closeExport = () => setExporting(false)
  const onExport = () => setExporting(true)
  useCommands([
    {
      id: 'rename',
      ...editorStrings.commands.rename,
      section: 'Document',
      when: () => onRename !== null,
      run: () => onRename?.(),
    },
    {
      id: 'export',
      ...editorStrings.commands.export,
      section: 'Document',
      run: onExport,
    },
    {
      id: 'document-options',
      ...editorStrings.commands.documentOptions,
      section: 'Document',
      run: trigger.onClick,
    },
  ])
  return (
    <>
      <button
        {...trigger}
        aria-label={editorStrings.header.options}
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} w-9 shrink-0 px-0`}
      >
        <Ellipsis size={18} aria-hidden />
      </button>
      {Popup && <Popup {...props} onExport={onExport} {...popup} />}
      {isExporting && (
        <LazyComponent
          load={loadExportDialog}
          props={{ document, title, opened, onClose: closeExport }}
          onLoadFailed={closeExport}
        />
      )}
    </>
  )
}
