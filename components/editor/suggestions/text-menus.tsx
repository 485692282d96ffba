'use client'

import { gapCursor } from '@tiptap/pm/gapcursor'
import { Plugin, PluginKey } from '@tiptap/pm/state'
import { useEditorState, type Editor } from '@tiptap/react'
import { useEffect } from 'react'
import { isInTable } from '@/components/blocks/table/is-in-table.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { useIsActive } from '../active-editor.ts'
import { BlockHandle } from '../block-actions/block-handle.tsx'
import { onMenusReady } from '@/components/blocks/late-keys.ts'
import { useKeyboardInset } from '../menus/use-keyboard-inset.ts'
import { useEditorFormat } from '../use-editor-format.ts'
import { SelectionBubble } from '../menus/selection-bubble.tsx'
import type { TextFormActions } from '../menus/text-forms.tsx'
import { MentionMenu } from './mention-menu.tsx'
import { SlashMenu } from './slash-menu.tsx'
import { suggestionOf } from './suggestion.ts'

export interface TextMenusProps extends TextFormActions {
  readonly editor: Editor
  /** Whether the commands of this page are about this text: another one may be beside it. */
  readonly hasCommands: boolean
}

const loadTablePalette = () => import('@/components/blocks/table/table-palette.tsx')

const gapCursorKey = new PluginKey('gapCursor')

/** What appears beside the text while somebody writes in it. It is loaded once the text has the focus. */
export default function TextMenus(props: TextMenusProps) {
  const { editor, hasCommands } = props
  const suggestion = useEditorState({ editor, selector: ({ editor: now }) => suggestionOf(now.state) })
  useKeyboardInset(hasCommands)
  useGapCursor(editor)
  // Runs after the effects of those below, which take the keys.
  useEffect(() => onMenusReady(editor.view), [editor])
  return (
    <>
      <SlashMenu editor={editor} suggestion={suggestion} />
      {suggestion?.sign === '@' && <MentionMenu editor={editor} suggestion={suggestion} />}
      <BlockHandle editor={editor} hasCommands={hasCommands} onCopyLink={props.onCopyLink} />
      <TableCommands editor={editor} />
      <SelectionBubble {...props} />
    </>
  )
}

/** A table in a text beside the one in use has none. */
function TableCommands({ editor }: Pick<TextMenusProps, 'editor'>) {
  const isActive = useIsActive(editor)
  const isOn = useEditorFormat(editor, ({ state }) => isInTable(state))
  return isActive && isOn && <LazyComponent load={loadTablePalette} props={{ editor }} />
}

/** A caret where no letters can stand: before a divider with which the text begins, and such. */
function useGapCursor(editor: Editor): void {
  useEffect(() => {
    editor.registerPlugin(new Plugin({ ...gapCursor().spec, key: gapCursorKey }))
    return () => void editor.unregisterPlugin(gapCursorKey)
  }, [editor])
}
