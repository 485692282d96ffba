'use client'

import { useEffect, useState, type KeyboardEvent as ReactKeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { waitUntilOverlaysClosed, hasNoOpenOverlay } from './open-overlays.ts'
import { commandForKey } from './command-keys.ts'
import { focusPane } from './focus-pane.ts'
import { type Command, pageCommands } from './command-registry.ts'
import { firstMatch, listAvailableCommands } from './command-search.ts'
import { useCommands } from './use-commands.ts'
import { HiddenInput } from '@/components/ui/hidden-input.tsx'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { commandsStrings } from '@/lib/strings/commands.ts'

const loadPalette = () => import('./command-palette.tsx')
const loadHelp = () => import('./shortcut-help.tsx')

/** `typed` holds what was typed while another dialog closed. */
type ShownDialog = { readonly what: 'palette' | 'help'; readonly typed: string }

/** Listens to the keys of all commands of this window and shows the palette and the help. A page renders it once. */
export function Commands() {
  const [shownDialog, setShownDialog] = useState<ShownDialog | null>(null)
  const show = async (what: ShownDialog['what']) => {
    const early = await waitUntilOverlaysClosed()
    if (!early) return
    const chosen =
      what === 'palette' &&
      early.isEntered &&
      firstMatch(listAvailableCommands(pageCommands.list()), early.text)
    if (chosen) return chosen.run()
    // Renders before the next key, which is meant for the dialog.
    flushSync(() => setShownDialog({ what, typed: early.text }))
  }
  useCommands(createOwnCommands((what) => void show(what)))
  useEffect(listenToKeys, [])
  const close = () => setShownDialog(null)
  if (shownDialog?.what === 'palette')
    return <PaletteLoading initialText={shownDialog.typed} onClose={close} />
  return (
    shownDialog?.what === 'help' && (
      <LazyComponent load={loadHelp} props={{ onClose: close }} onLoadFailed={close} />
    )
  )
}

/**
 * Collects letters that are typed before the palette is loaded: they are meant for it, not for the text. Enter and Escape work as they will
 * in the palette.
 */
function PaletteLoading({ initialText, onClose }: { initialText: string; onClose: () => void }) {
  const [previousFocus] = useState(() => document.activeElement as HTMLElement | null)
  const [commands] = useState(() => listAvailableCommands(pageCommands.list()))
  const [typed, setTyped] = useState(initialText)
  const [isPaletteReady, setIsPaletteReady] = useState(false)
  const onReady = () => setIsPaletteReady(true)
  const closeAndRestoreFocus = () => {
    onClose()
    previousFocus?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: ReactKeyboardEvent) => {
    // Enter and Escape end a word that is being composed.
    if (event.nativeEvent.isComposing) return
    const chosen = event.key === 'Enter' ? firstMatch(commands, typed) : undefined
    if (!chosen && event.key !== 'Escape') return
    event.preventDefault()
    closeAndRestoreFocus()
    chosen?.run()
  }
  return (
    <>
      {!isPaletteReady && (
        <HiddenInput
          label={commandsStrings.palette.search}
          typed={typed}
          onTyped={setTyped}
          onKeyDown={onKeyDown}
        />
      )}
      <LazyComponent
        load={loadPalette}
        props={{ previousFocus, commands, query: typed, onQueryChange: setTyped, onReady, onClose }}
        onLoadFailed={closeAndRestoreFocus}
      />
    </>
  )
}

const createOwnCommands = (show: (what: ShownDialog['what']) => void): readonly Command[] => [
  {
    id: 'next-pane',
    ...commandsStrings.commands.nextPane,
    section: 'Go to',
    keys: 'F6',
    when: hasNoOpenOverlay,
    run: () => focusPane(1),
  },
  {
    id: 'previous-pane',
    ...commandsStrings.commands.previousPane,
    section: 'Go to',
    keys: 'Shift+F6',
    when: hasNoOpenOverlay,
    run: () => focusPane(-1),
  },
  {
    id: 'palette',
    ...commandsStrings.commands.palette,
    section: 'Help',
    keys: 'Mod+Shift+P',
    when: hasNoOpenOverlay,
    run: () => show('palette'),
  },
  {
    id: 'palette-short',
    ...commandsStrings.commands.paletteShort,
    section: 'Help',
    keys: 'Mod+K',
    isHelpOnly: true,
    when: hasNoOpenOverlay,
    run: () => show('palette'),
  },
  {
    id: 'help',
    ...commandsStrings.commands.shortcuts,
    section: 'Help',
    keys: 'Mod+/',
    when: hasNoOpenOverlay,
    run: () => show('help'),
  },
]

function listenToKeys(): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    const command = commandForKey(event, pageCommands.list())
    if (!command) return
    event.preventDefault()
    command.run()
  }
  addEventListener('keydown', onKeyDown)
  return () => removeEventListener('keydown', onKeyDown)
}
