'use client'

import type { Editor } from '@tiptap/core'
import { isInTable } from '@/components/blocks/table/is-in-table.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { useEditorFormat } from '../use-editor-format.ts'

const loadButton = () => import('./table-menu-button.tsx')

/** Changes the table that the caret is in. */
export function TableMenu({ editor }: { editor: Editor }) {
  const isOn = useEditorFormat(editor, ({ state }) => isInTable(state))
  return isOn && <LazyComponent load={loadButton} props={{ editor }} />
}
