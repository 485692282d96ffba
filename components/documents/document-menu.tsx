'use client'

import { Ellipsis } from 'lucide-react'
import { buttonClass } from '@/components/ui/button.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { DocumentMenuPopupProps } from './document-menu-popup.tsx'
import { documentsStrings } from '@/lib/strings/documents.ts'

const loadPopup = () => import('./document-menu-popup.tsx')

export function DocumentMenu({ title, ...actions }: DocumentMenuPopupProps & { readonly title: string }) {
  const { trigger, Popup, popup } = usePopup<DocumentMenuPopupProps>('menu', loadPopup)
  return (
    <>
      <button
        {...trigger}
        className={`${buttonClass({ look: 'quiet', shape: 'icon' })} relative z-10 hover:bg-line`}
        aria-label={documentsStrings.menu.label(title)}
      >
        <Ellipsis size={18} aria-hidden />
      </button>
      {Popup && <Popup {...actions} {...popup} />}
    </>
  )
}
