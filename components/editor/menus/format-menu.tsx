'use client'

import type { Editor } from '@tiptap/react'
import { ChevronDown } from 'lucide-react'
import { Hint } from '@/components/ui/hint.tsx'
import { ToolbarButton } from '@/components/ui/toolbar.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { FormatMenuPopupProps } from './format-menu-popup.tsx'
import { editorStrings } from '@/lib/strings/editor.ts'

const loadPopup = () => import('./format-menu-popup.tsx')

/** The formats that are used less than those with a button. */
export function FormatMenu({ editor }: { editor: Editor }) {
  const { trigger, Popup, popup } = usePopup<FormatMenuPopupProps>('menu', loadPopup)
  return (
    <>
      <Hint text={editorStrings.toolbar.formats}>
        <ToolbarButton
          {...trigger}
          aria-label={editorStrings.toolbar.formats}
          className="flex h-8 shrink-0 items-center gap-0.5 rounded-md px-1.5 text-sm hover:bg-sunk aria-expanded:bg-sunk"
        >
          <span aria-hidden>{editorStrings.toolbar.formatsSign}</span>
          <ChevronDown size={14} aria-hidden className="text-muted" />
        </ToolbarButton>
      </Hint>
      {Popup && <Popup editor={editor} {...popup} />}
    </>
  )
}
