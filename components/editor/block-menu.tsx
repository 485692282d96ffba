'use client'

import { Menu } from '@base-ui/react/menu'
import { Toolbar } from '@base-ui/react/toolbar'
import { useEditorState, type Editor } from '@tiptap/react'
import { Check, ChevronDown } from 'lucide-react'
import { MenuPopup, menuItemClass } from '@/components/ui/menu.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { applyBlockStyle, blockStyles, blockStyleName, blockStyleOf } from './block-styles.ts'
import { strings } from '@/lib/strings/editor.ts'

/** Chooses what the paragraph is: text or a heading. */
export function BlockMenu({ editor }: { editor: Editor }) {
  const current = useEditorState({ editor, selector: ({ editor: now }) => blockStyleOf(now) })
  const name = blockStyleName(current)
  return (
    <Menu.Root>
      <Toolbar.Button
        render={<Menu.Trigger />}
        aria-label={strings.paragraphStyle.label(name)}
        className="flex h-8 w-[6.75rem] shrink-0 items-center justify-between rounded-md px-2 text-sm hover:bg-sunk data-popup-open:bg-sunk"
      >
        {name}
        <ChevronDown size={14} aria-hidden className="text-muted" />
      </Toolbar.Button>
      <MenuPopup align="start">
        <Menu.RadioGroup value={current} onValueChange={(id: string) => applyBlockStyle(editor, id)}>
          {blockStyles.map(({ id, name: label, keys, look }) => (
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
