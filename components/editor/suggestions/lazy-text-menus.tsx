'use client'

import { LazyOnDemand } from '@/components/ui/lazy-component.tsx'
import { loadInBackground } from '@/lib/load-in-background.ts'
import { onMenusFailed } from '@/components/blocks/late-keys.ts'
import { useEditorFormat } from '../use-editor-format.ts'
import type { TextMenusProps } from './text-menus.tsx'

const loadTextMenus = loadInBackground(() =>
  import('./text-menus.tsx').catch((error: unknown) => {
    onMenusFailed()
    throw error
  }),
)

/** Loaded when the text gets the focus. */
export function LazyTextMenus(props: TextMenusProps) {
  const isWanted = useEditorFormat(props.editor, ({ isEditable, isFocused }) => isEditable && isFocused)
  return <LazyOnDemand load={loadTextMenus} isWanted={isWanted} props={props} />
}
