'use client'

import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { afterClosing, isNothingInFront } from './closing.ts'
import { commandOf } from './keys.ts'
import { focusPane } from './panes.ts'
import { type Command, pageCommands } from './registry.ts'
import { possibleNow } from './search.ts'
import { useCommands } from './use-commands'
import { Late } from '@/components/ui/late'

const loadPalette = () => import('./palette')
const loadHelp = () => import('./shortcut-help')

/** `typed` while another dialog closed. */
type Shown = { readonly what: 'palette' | 'help'; readonly typed: string }

/** Listens to the keys of all commands of this window, and shows them. Once a page. */
export function Commands() {
  const [shown, setShown] = useState<Shown | null>(null)
  const show = async (what: Shown['what']) => {
    const typed = await afterClosing()
    if (typed !== null) setShown({ what, typed })
  }
  useCommands(ownCommands((what) => void show(what)))
  useEffect(listenToKeys, [])
  const close = () => setShown(null)
  if (shown?.what === 'palette') return <PaletteOnItsWay first={shown.typed} onClose={close} />
  return shown?.what === 'help' && <Late load={loadHelp} props={{ onClose: close }} onMissing={close} />
}

/** What is typed before it is there was not meant for the text. */
function PaletteOnItsWay({ first, onClose }: { first: string; onClose: () => void }) {
  const [from] = useState(() => document.activeElement as HTMLElement | null)
  const [possible] = useState(() => possibleNow(pageCommands.list()))
  const [typed, setTyped] = useState(first)
  const [isThere, setIsThere] = useState(false)
  const onThere = () => setIsThere(true)
  const onMissing = () => {
    onClose()
    from?.focus({ preventScroll: true })
  }
  return (
    <>
      {!isThere && <Waiting typed={typed} onTyped={setTyped} />}
      <Late
        load={loadPalette}
        props={{ from, possible, typed, onTyped: setTyped, onThere, onClose }}
        onMissing={onMissing}
      />
    </>
  )
}

function Waiting({ typed, onTyped }: { typed: string; onTyped: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])
  return (
    <input
      ref={input}
      aria-label="Search commands"
      value={typed}
      onChange={(event) => onTyped(event.target.value)}
      className="sr-only"
    />
  )
}

const ownCommands = (show: (what: Shown['what']) => void): readonly Command[] => [
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
    keys: 'Mod+Shift+P',
    words: 'palette',
    when: isNothingInFront,
    run: () => show('palette'),
  },
  {
    id: 'palette-short',
    title: 'Show all commands',
    section: 'Help',
    keys: 'Mod+K',
    where: 'with nothing selected',
    inHelpAlone: true,
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
