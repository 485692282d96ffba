'use client'

import type { Editor } from '@tiptap/react'
import { ChoiceMenu } from '@/components/ui/menu.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { applyBlockStyle, blockStyles } from './block-styles.ts'

export interface BlockMenuPopupProps {
  readonly editor: Editor
  /** The id of the block style at the caret. */
  readonly current: string
}

const BlockMenuPopup = ({ editor, current, ...popup }: BlockMenuPopupProps & PopupProps) => (
  <ChoiceMenu
    choices={blockStyles}
    chosen={current}
    onChoose={(id) => applyBlockStyle(editor, id)}
    {...popup}
  />
)

export default BlockMenuPopup
