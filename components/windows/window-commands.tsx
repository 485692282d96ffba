'use client'

import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { isPanelId } from '@/lib/windows/panels.ts'
import type { Command } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { nextWindow } from './next-window.ts'
import { ownPage } from './own-page.ts'
import { showWindowOrExplain } from './show-or-explain.ts'
import { useOwnWindowEntries, useWindowNames } from './use-own-window-entries.ts'
import { windowName } from './window-text.ts'
import { windowsStrings } from '@/lib/strings/windows.ts'

/** Keyboard commands for the person's windows. Draws nothing, so that its updates render nothing else. */
export function WindowCommands() {
  const entries = useOwnWindowEntries()
  const nameOf = useWindowNames()
  useCommands([
    ...nextWindowCommands(entries),
    ...showWindowCommands(entries, nameOf),
    ...dockPanelCommands(entries),
  ])
  return null
}

const nextWindowCommands = (entries: readonly OwnWindowEntry[]): Command[] =>
  ([1, -1] as const).map((direction) => ({
    id: direction > 0 ? 'next-window' : 'previous-window',
    title: direction > 0 ? windowsStrings.commands.next : windowsStrings.commands.previous,
    section: 'Windows',
    keys: direction > 0 ? 'Mod+F6' : 'Mod+Shift+F6',
    words: windowsStrings.searchWords.next,
    when: () => nextWindow(entries, direction) !== undefined,
    run: () => showEntry(nextWindow(entries, direction)),
  }))

const showEntry = (entry: OwnWindowEntry | undefined): void => {
  if (entry) showWindowOrExplain(entry)
}

const showWindowCommands = (
  entries: readonly OwnWindowEntry[],
  nameOf: (entry: OwnWindowEntry) => string,
): Command[] =>
  entries
    .filter(({ self }) => !self)
    .map((entry) => ({
      id: `window:${entry.id}`,
      title: entry.sameBrowser
        ? windowsStrings.commands.show(nameOf(entry))
        : windowsStrings.commands.showOn(nameOf(entry), entry.device.name),
      section: 'Windows',
      run: () => showWindowOrExplain(entry),
    }))

/** A text window docks this panel, and this window closes. */
function dockPanelCommands(entries: readonly OwnWindowEntry[]): Command[] {
  const [own, ...otherEntries] = entries
  if (!own?.popup) return []
  const { kind: panel } = own
  if (!isPanelId(panel)) return []
  const text = otherEntries.find(
    ({ sameBrowser, kind, document }) => sameBrowser && kind === 'text' && document === own.document,
  )
  if (!text) return []
  return [
    {
      id: `bring-back:${panel}`,
      title: windowsStrings.commands.bringBack(windowName(text)),
      section: 'Windows',
      keys: 'Mod+Alt+B',
      words: windowsStrings.searchWords.bringBack,
      run: () => ownPage().registry.sendRequest(text.id, { type: 'dock', panel }),
    },
  ]
}
