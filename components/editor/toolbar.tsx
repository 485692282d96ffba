'use client'

import { Toolbar as Bar } from '@base-ui/react/toolbar'
import { useEditorState, type Editor } from '@tiptap/react'
import { Link2, MessageSquarePlus } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, MouseEvent } from 'react'
import { Hint } from '@/components/ui/hint.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { focusText } from './focus-text.ts'
import { BlockMenu } from './block-menu.tsx'
import { blockGroup, historyGroup, markGroup, type ToolbarItem } from './toolbar-items.ts'
import { strings } from '@/lib/strings/editor.ts'

interface ToolbarProps {
  readonly editor: Editor
  readonly onLink: () => void
  readonly onComment: () => void
}

/** The toolbar is one tab stop; arrow keys move within it, and Escape returns to the text. */
export function Toolbar({ editor, onLink, onComment }: ToolbarProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') focusText(editor)
  }
  return (
    <Bar.Root
      aria-label={strings.toolbar.label}
      data-pane="toolbar"
      onKeyDown={onKeyDown}
      className="toolbar-scroll mx-auto flex w-fit max-w-full items-center gap-0.5 overflow-x-auto px-2 py-1"
    >
      <GroupButtons editor={editor} group={historyGroup} />
      <Divider />
      <BlockMenu editor={editor} />
      <Divider />
      <GroupButtons editor={editor} group={markGroup} />
      <LinkButton editor={editor} onLink={onLink} />
      <ToolbarButton
        name={strings.toolbar.comment}
        keys="Mod+Alt+M"
        aria-haspopup="dialog"
        onClick={onComment}
      >
        <MessageSquarePlus size={17} aria-hidden />
      </ToolbarButton>
      <Divider />
      <GroupButtons editor={editor} group={blockGroup} />
    </Bar.Root>
  )
}

const Divider = () => <Bar.Separator className="mx-1 h-5 w-px shrink-0 bg-line" />

function GroupButtons({
  editor,
  group,
}: {
  editor: Editor
  group: { name: string; items: readonly ToolbarItem[] }
}) {
  return (
    <Bar.Group aria-label={group.name} className="flex shrink-0 gap-0.5">
      {group.items.map((item) => (
        <ItemButton key={item.name} editor={editor} item={item} />
      ))}
    </Bar.Group>
  )
}

function ItemButton({ editor, item }: { editor: Editor; item: ToolbarItem }) {
  const { on: isOn, able: canRun } = useEditorState({
    editor,
    selector: ({ editor: now }) => ({ on: item.isOn?.(now), able: item.canRun?.(now) ?? true }),
  })
  return (
    <ToolbarButton
      name={item.name}
      keys={item.keys}
      aria-pressed={isOn}
      disabled={!canRun}
      onClick={() => item.run(editor.chain().focus()).run()}
    >
      <item.Icon size={17} aria-hidden />
    </ToolbarButton>
  )
}

function LinkButton({ editor, onLink }: Omit<ToolbarProps, 'onComment'>) {
  const isOn = useEditorState({ editor, selector: ({ editor: now }) => now.isActive('link') })
  return (
    <ToolbarButton
      name={strings.toolbar.link}
      keys="Mod+K"
      aria-pressed={isOn}
      aria-haspopup="dialog"
      onClick={onLink}
    >
      <Link2 size={17} aria-hidden />
    </ToolbarButton>
  )
}

type ToolbarButtonProps = Omit<ComponentProps<typeof Bar.Button>, 'name'> & {
  name: string
  keys: string | undefined
}

// The text keeps the focus and the selection while a button is pressed.
const keepTextFocus = (event: MouseEvent) => event.preventDefault()

function ToolbarButton({ name, keys, ...rest }: ToolbarButtonProps) {
  const shortcut = keys && shortcutText(keys)
  return (
    <Hint text={name} {...(shortcut && { keys: shortcut })}>
      <Bar.Button
        {...rest}
        aria-label={name}
        onMouseDown={keepTextFocus}
        className="grid size-8 shrink-0 place-items-center rounded-md text-ink hover:bg-sunk aria-pressed:bg-accent-soft aria-pressed:text-accent data-disabled:text-muted data-disabled:opacity-50"
      />
    </Hint>
  )
}
