'use client'

import type { Editor } from '@tiptap/core'
import { Link2, MessageSquarePlus } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react'
import { Hint } from '@/components/ui/hint.tsx'
import { preloadWhenNear } from '@/components/ui/lazy-component.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { Toolbar, ToolbarButton } from '@/components/ui/toolbar.tsx'
import { focusText } from '../focus-text.ts'
import { useEditorFormat } from '../use-editor-format.ts'
import type { TextFormActions } from './text-forms.tsx'
import { BlockMenu } from './block-menu.tsx'
import { FormatMenu } from './format-menu.tsx'
import { InsertMenu } from './insert-menu.tsx'
import { loadCommentForm, loadLinkForm } from './load-forms.ts'
import type { ToolbarItem } from '@/components/blocks/editor-block.ts'
import { TableMenu } from './table-menu.tsx'
import { blockGroup, historyGroup, markGroup } from './toolbar-items.ts'
import { editorStrings } from '@/lib/strings/editor.ts'

export interface EditorToolbarProps extends Pick<TextFormActions, 'onLink' | 'onComment'> {
  readonly editor: Editor
}

/** The toolbar is one tab stop; arrow keys move within it, and Escape returns to the text. */
export function EditorToolbar({ editor, onLink, onComment }: EditorToolbarProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') focusText(editor)
  }
  return (
    <Toolbar
      aria-label={editorStrings.toolbar.label}
      data-pane="toolbar"
      onKeyDown={onKeyDown}
      className="toolbar-scroll mx-auto flex w-fit max-w-full items-center gap-0.5 overflow-x-auto px-2 py-1"
    >
      <GroupButtons editor={editor} group={historyGroup} />
      <ToolbarDivider />
      <BlockMenu editor={editor} />
      <InsertMenu editor={editor} />
      <ToolbarDivider />
      <GroupButtons editor={editor} group={markGroup} />
      <FormatMenu editor={editor} />
      <LinkButton editor={editor} onLink={onLink} />
      <CommentButton onComment={onComment} />
      <ToolbarDivider />
      <GroupButtons editor={editor} group={blockGroup} />
      {/* Its place is kept: the other buttons stay where they are when the caret enters a table. */}
      <div className="size-8 shrink-0 pointer-coarse:size-10">
        <TableMenu editor={editor} />
      </div>
    </Toolbar>
  )
}

export const ToolbarDivider = () => (
  <hr aria-orientation="vertical" className="mx-1 h-5 w-px shrink-0 border-0 bg-line" />
)

export function GroupButtons({
  editor,
  group,
}: {
  editor: Editor
  group: { name: string; items: readonly ToolbarItem[] }
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for forms
    <div role="group" aria-label={group.name} className="flex shrink-0 gap-0.5">
      {group.items.map((item) => (
        <ItemButton key={item.name} editor={editor} item={item} />
      ))}
    </div>
  )
}

function ItemButton({ editor, item }: { editor: Editor; item: ToolbarItem }) {
  const isOn = useEditorFormat(editor, (now) => item.isOn?.(now))
  const canRun = useEditorFormat(editor, (now) => item.canRun?.(now) ?? true)
  return (
    <HintedButton
      name={item.name}
      keys={item.keys}
      aria-pressed={isOn}
      disabled={!canRun}
      onClick={() => item.run(editor.chain().focus()).run()}
    >
      <item.Icon size={17} aria-hidden />
    </HintedButton>
  )
}

export function LinkButton({ editor, onLink }: Omit<EditorToolbarProps, 'onComment'>) {
  const isOn = useEditorFormat(editor, (now) => now.isActive('link'))
  return (
    <HintedButton
      name={editorStrings.toolbar.link}
      keys="Mod+K"
      aria-pressed={isOn}
      aria-haspopup="dialog"
      onClick={onLink}
      {...preloadWhenNear(loadLinkForm)}
    >
      <Link2 size={17} aria-hidden />
    </HintedButton>
  )
}

export const CommentButton = ({ onComment }: Pick<EditorToolbarProps, 'onComment'>) => (
  <HintedButton
    name={editorStrings.toolbar.comment}
    keys="Mod+Alt+M"
    aria-haspopup="dialog"
    onClick={onComment}
    {...preloadWhenNear(loadCommentForm)}
  >
    <MessageSquarePlus size={17} aria-hidden />
  </HintedButton>
)

type HintedButtonProps = ComponentProps<'button'> & {
  name: string
  keys: string | undefined
}

// The text keeps the focus and the selection while a button is pressed.
const keepTextFocus = (event: MouseEvent) => event.preventDefault()

function HintedButton({ name, keys, ...rest }: HintedButtonProps) {
  const shortcut = keys && shortcutText(keys)
  return (
    <Hint text={name} {...(shortcut && { keys: shortcut })}>
      <ToolbarButton
        {...rest}
        aria-label={name}
        onMouseDown={keepTextFocus}
        className="grid size-8 pointer-coarse:size-10 shrink-0 place-items-center rounded-md text-ink hover:bg-sunk aria-pressed:bg-accent-soft aria-pressed:text-accent aria-disabled:text-muted aria-disabled:opacity-50"
      />
    </Hint>
  )
}
