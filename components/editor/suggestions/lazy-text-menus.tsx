'use client'

import { useEditorState } from '@tiptap/react'
import { BackgroundComponent } from '@/components/ui/background-component.tsx'
import { loadInBackground } from '@/lib/load-in-background.ts'
import { onMenusFailed } from '../late-keys.ts'
import type { TextMenusProps } from './text-menus.tsx'

const loadTextMenus = loadInBackground(() =>
  import('./text-menus.tsx').catch((error: unknown) => {
    onMenusFailed()
    throw error
  }),
)

/** Loaded when the text gets the focus. */
export function LazyTextMenus(props: TextMenusProps) {
  const isWanted = useEditorState({
    editor: props.editor,
    selector: ({ editor }) => editor.isEditable && editor.isFocused,
  })
  return <BackgroundComponent load={loadTextMenus} isWanted={isWanted} props={props} />
}
