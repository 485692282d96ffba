'use client'

import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { afterClosing, isNothingInFront } from './closing.ts'
import { commandOf } from './keys.ts'
import { focusPane } from './panes.ts'
import { type Command, pageCommands } from './registry.ts'
import { firstFound, possibleNow } from './search.ts'
import { useCommands } from './use-commands'
import { Late } from '@/components/ui/late'
import { strings } from '@/lib/strings/commands.ts'

const loadPalette = () => import('./palette')
const loadHelp = () => import('./shortcut-help')

/** `typed` while another dialog closed. */
type Shown = { readonly what: 'palette' | 'help'; readonly typed: string }

/** Listens to the keys of all commands of this window, and shows them. Once a page. */
export function Commands() {
  const [shown, setShown] = useState<Shown | null>(null)
  const show = async (what: Shown['what']) => {
    const typed = await afterClosing()
    // Before the next key, which is meant for what is shown.
    if (typed !== null) flushSync(() => setShown({ what, typed }))
  }
  useCommands(ownCommands((what) => void show(what)))
  useEffect(listenToKeys, [])
  const close = () => setShown(null)
  if (shown?.what === 'palette') return <PaletteOnItsWay first={shown.typed} onClose={close} />
  return shown?.what === 'help' && <Late load={loadHelp} props={{ onClose: close }} onMissing={close} />
}

/** Letters typed before the palette is there are meant for it, not for the text; Enter and Escape work as they will there. */
function PaletteOnItsWay({ first, onClose }: { first: string; onClose: () => void }) {
  const [from] = useState(() => document.activeElement as HTMLElement | null)
  const [possible] = useState(() => possibleNow(pageCommands.list()))
  const [typed, setTyped] = useState(first)
  const [isThere, setIsThere] = useState(false)
  const onThere = () => setIsThere(true)
  const leave = () => {
    onClose()
    from?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: ReactKeyboardEvent) => {
    // Enter and Escape end a word that is being composed.
    if (event.nativeEvent.isComposing) return
    const chosen = event.key === 'Enter' ? firstFound(possible, typed) : undefined
    if (!chosen && event.key !== 'Escape') return
    event.preventDefault()
    leave()
    chosen?.run()
  }
  return (
    <>
      {!isThere && <Waiting typed={typed} onTyped={setTyped} onKeyDown={onKeyDown} />}
      <Late
        load={loadPalette}
        props={{ from, possible, typed, onTyped: setTyped, onThere, onClose }}
        onMissing={leave}
      />
    </>
  )
}

interface WaitingProps {
  readonly typed: string
  readonly onTyped: (text: string) => void
  readonly onKeyDown: (event: ReactKeyboardEvent) => void
}

function Waiting({ typed, onTyped, onKeyDown }: WaitingProps) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])
  return (
    <input
      ref={input}
      aria-label={strings.palette.search}
      value={typed}
      onChange={(event) => onTyped(event.target.value)}
      onKeyDown={onKeyDown}
      className="sr-only"
    />
  )
}

const ownCommands = (show: (what: Shown['what']) => void): readonly Command[] => [
  {
    id: 'next-pane',
    ...strings.commands.nextPane,
    section: 'Go to',
    keys: 'F6',
    when: isNothingInFront,
    run: () => focusPane(1),
  },
  {
    id: 'previous-pane',
    ...strings.commands.previousPane,
    section: 'Go to',
    keys: 'Shift+F6',
    when: isNothingInFront,
    run: () => focusPane(-1),
  },
  {
    id: 'palette',
    ...strings.commands.palette,
    section: 'Help',
    keys: 'Mod+Shift+P',
    when: isNothingInFront,
    run: () => show('palette'),
  },
  {
    id: 'palette-short',
    ...strings.commands.paletteShort,
    section: 'Help',
    keys: 'Mod+K',
    inHelpAlone: true,
    when: isNothingInFront,
    run: () => show('palette'),
  },
  {
    id: 'help',
    ...strings.commands.shortcuts,
    section: 'Help',
    keys: 'Mod+/',
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
