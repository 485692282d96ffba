'use client'

import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { commandOf } from './keys.ts'
import { focusPane } from './panes.ts'
import { type Command, pageCommands } from './registry.ts'
import { useCommands } from './use-commands'

const Palette = dynamic(() => import('./palette'), { ssr: false })
const ShortcutHelp = dynamic(() => import('./shortcut-help'), { ssr: false })

type Shown = 'palette' | 'help'

/** Listens to the keys of all commands of this window, and shows them. Once a page. */
export function Commands() {
  const [shown, setShown] = useState<Shown | null>(null)
  useCommands(ownCommands(setShown))
  useEffect(listenToKeys, [])
  const close = () => setShown(null)
  if (shown === 'palette') return <Palette onClose={close} />
  return shown === 'help' && <ShortcutHelp onClose={close} />
}

const ownCommands = (show: (what: Shown) => void): readonly Command[] => [
  {
    id: 'next-pane',
    title: 'Go to the next part of the window',
    section: 'Go to',
    keys: 'F6',
    words: 'pane panel focus',
    when: isNothingInFront,
    run: () => focusPane(1),
  },
  {
    id: 'previous-pane',
    title: 'Go to the part of the window before',
    section: 'Go to',
    keys: 'Shift+F6',
    words: 'previous pane panel focus',
    when: isNothingInFront,
    run: () => focusPane(-1),
  },
  {
    id: 'palette',
    title: 'Show all commands',
    section: 'Help',
    keys: ['Mod+Shift+P', 'Mod+K'],
    words: 'palette',
    when: isNothingInFront,
    run: () => show('palette'),
  },
  {
    id: 'help',
    title: 'Show the keyboard shortcuts',
    section: 'Help',
    keys: 'Mod+/',
    words: 'keys help',
    when: isNothingInFront,
    run: () => show('help'),
  },
]

/** A dialog or a menu has the keyboard to itself. */
const isNothingInFront = (): boolean =>
  !document.activeElement?.closest('[role=dialog], [role=alertdialog], [role=menu]')

function listenToKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandOf(event, pageCommands.list())
    if (!command) return
    event.preventDefault()
    command.run()
  }
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}
