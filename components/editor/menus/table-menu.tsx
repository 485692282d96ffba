'use client'

import { useEditorState, type Editor } from '@tiptap/react'
import { isInTable } from '@/components/blocks/table/is-in-table.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'

const loadButton = () => import('./table-menu-button.tsx')

/** Changes the table that the caret is in. */
export function TableMenu({ editor }: { editor: Editor }) {
  const isOn = useEditorState({ editor, selector: ({ editor: now }) => isInTable(now.state) })
  return isOn && <LazyComponent load={loadButton} props={{ editor }} />
}
