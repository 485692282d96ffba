'use client'

import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { isPanelId } from '@/lib/windows/panels.ts'
import type { Command } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { nextWindow } from './next-window'
import { ownPage } from './own-page'
import { showAndSay } from './show-and-say'
import { useRegister, useWindowNames } from './use-register'
import { windowName } from './words'
import { strings } from '@/lib/strings/windows.ts'

/** What can be done with the person's windows by keyboard. Draws nothing, so that what it hears renders nothing else. */
export function WindowCommands() {
  const entries = useRegister()
  const nameOf = useWindowNames()
  useCommands([...goings(entries), ...showings(entries, nameOf), ...dockings(entries)])
  return null
}

const goings = (entries: readonly OwnWindowEntry[]): Command[] =>
  ([1, -1] as const).map((step) => ({
    id: step > 0 ? 'next-window' : 'previous-window',
    title: step > 0 ? strings.commands.next : strings.commands.previous,
    section: 'Windows',
    keys: step > 0 ? 'Mod+F6' : 'Mod+Shift+F6',
    words: strings.searchWords.next,
    when: () => nextWindow(entries, step) !== undefined,
    run: () => goTo(nextWindow(entries, step)),
  }))

const goTo = (entry: OwnWindowEntry | undefined): void => {
  if (entry) showAndSay(entry)
}

const showings = (entries: readonly OwnWindowEntry[], nameOf: (entry: OwnWindowEntry) => string): Command[] =>
  entries
    .filter(({ self }) => !self)
    .map((entry) => ({
      id: `window:${entry.id}`,
      title: entry.here
        ? strings.commands.show(nameOf(entry))
        : strings.commands.showOn(nameOf(entry), entry.device.name),
      section: 'Windows',
      run: () => showAndSay(entry),
    }))

/** The text's window takes a panel in, and this one closes. */
function dockings(entries: readonly OwnWindowEntry[]): Command[] {
  const [own, ...others] = entries
  if (!own?.popup) return []
  const { kind: panel } = own
  if (!isPanelId(panel)) return []
  const text = others.find(({ here, kind, document }) => here && kind === 'text' && document === own.document)
  if (!text) return []
  return [
    {
      id: `bring-back:${panel}`,
      title: strings.commands.bringBack(windowName(text)),
      section: 'Windows',
      keys: 'Mod+Alt+B',
      words: strings.searchWords.bringBack,
      run: () => ownPage().register.ask(text.id, { type: 'dock', panel }),
    },
  ]
}
