'use client'

import { Ellipsis } from 'lucide-react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { DocumentOptionsPopupProps } from './document-options-popup.tsx'
import { strings } from '@/lib/strings/editor.ts'

const loadPopup = () => import('./document-options-popup.tsx')

/** Renames, duplicates or trashes the document from within, and leads to what belongs to the whole page. */
export function DocumentOptions(props: DocumentOptionsPopupProps) {
  const { trigger, Popup, popup } = usePopup<DocumentOptionsPopupProps>('menu', loadPopup)
  const { onRename } = props
  useCommands([
    {
      id: 'rename',
      ...strings.commands.rename,
      section: 'Document',
      when: () => onRename !== null,
      run: () => onRename?.(),
    },
    {
      id: 'document-options',
      ...strings.commands.documentOptions,
      section: 'Document',
      run: trigger.onClick,
    },
  ])
  return (
    <>
      <button
        {...trigger}
        aria-label={strings.header.options}
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} w-9 shrink-0 px-0`}
      >
        <Ellipsis size={18} aria-hidden />
      </button>
      {Popup && <Popup {...props} {...popup} />}
    </>
  )
}
