'use client'

import { Menu } from '@base-ui/react/menu'
import { Toolbar } from '@base-ui/react/toolbar'
import { useEditorState, type Editor } from '@tiptap/react'
import { Check, ChevronDown } from 'lucide-react'
import { MenuPopup, menuItemClass } from '@/components/ui/menu'
import { shortcutText } from '@/components/ui/platform'

const levels = [1, 2, 3] as const

const styles = [
  { id: '0', name: 'Text', keys: 'Mod+Alt+0', look: '' },
  { id: '1', name: 'Heading 1', keys: 'Mod+Alt+1', look: 'font-serif text-xl font-semibold' },
  { id: '2', name: 'Heading 2', keys: 'Mod+Alt+2', look: 'font-serif text-lg font-semibold' },
  { id: '3', name: 'Heading 3', keys: 'Mod+Alt+3', look: 'font-serif text-base font-semibold' },
] as const

const styleOf = (editor: Editor): string =>
  String(levels.find((level) => editor.isActive('heading', { level })) ?? 0)

function applyStyle(editor: Editor, id: string): void {
  const level = levels.find((candidate) => String(candidate) === id)
  const chain = editor.chain().focus()
  if (level) chain.setHeading({ level }).run()
  else chain.setParagraph().run()
}

/** What the paragraph is: text or a heading. */
export function BlockMenu({ editor }: { editor: Editor }) {
  const current = useEditorState({ editor, selector: ({ editor: now }) => styleOf(now) })
  const name = styles.find(({ id }) => id === current)?.name
  return (
    <Menu.Root>
      <Toolbar.Button
        render={<Menu.Trigger />}
        aria-label={`Paragraph style: ${name}`}
        className="flex h-8 w-[6.75rem] shrink-0 items-center justify-between rounded-md px-2 text-sm hover:bg-sunk data-popup-open:bg-sunk"
      >
        {name}
        <ChevronDown size={14} aria-hidden className="text-muted" />
      </Toolbar.Button>
      <MenuPopup align="start">
        <Menu.RadioGroup value={current} onValueChange={(id: string) => applyStyle(editor, id)}>
          {styles.map(({ id, name: label, keys, look }) => (
            <Menu.RadioItem key={id} value={id} closeOnClick className={menuItemClass}>
              <span className="w-4">
                <Menu.RadioItemIndicator>
                  <Check size={16} aria-hidden className="text-accent" />
                </Menu.RadioItemIndicator>
              </span>
              <span className={`flex-1 pr-6 ${look}`}>{label}</span>
              <kbd className="font-sans text-xs text-muted">{shortcutText(keys)}</kbd>
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </MenuPopup>
    </Menu.Root>
  )
}
