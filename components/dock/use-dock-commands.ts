'use client'

import { itemOf, itemsOf } from '@/lib/windows/layout.ts'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import { type Command, pageCommands } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { panels } from '@/components/panels/registry'
import { toast } from '@/components/ui/toast'
import type { Dock } from './dock'
import { regionId } from './wanted-focus'
import { strings } from '@/lib/strings/dock.ts'

/** Of the panel one is in, and of each: show it, give it a window, take it back. */
export function useDockCommands(dock: Dock): void {
  useCommands([...commandsHere(dock), ...panelIds.flatMap((panel) => commandsOf(panel, dock))])
}

function commandsHere(dock: Dock): Command[] {
  const panelHere = () => panelIds.find((panel) => document.activeElement?.closest(`#${regionId(panel)}`))
  const chipHere = () => document.activeElement?.closest('[data-chip]')?.getAttribute('data-chip')
  const detached = () => itemsOf(dock.layout).filter((item) => item.detached)
  return [
    {
      id: 'detach',
      title: strings.commands.detachHere,
      section: 'Windows',
      keys: 'Mod+Alt+W',
      where: strings.commands.whereDetachHere,
      run() {
        const panel = panelHere()
        if (panel) dock.detach(panel)
        else pageCommands.run('panels')
      },
    },
    {
      id: 'bring-back',
      title: strings.commands.bringBackLast,
      section: 'Windows',
      keys: 'Mod+Alt+B',
      words: strings.searchWords.bringBackLast,
      run() {
        const [last] = detached().toSorted((a, b) => lookedAt(dock, b.panel) - lookedAt(dock, a.panel))
        const item = detached().find(({ panel }) => panel === chipHere()) ?? last
        if (item) dock.bringBack(item.panel)
        else toast(strings.toasts.noneToBringBack)
      },
    },
  ]
}

const lookedAt = (dock: Dock, panel: PanelId): number => dock.windowsOf(panel)[0]?.focusedAt ?? 0

function commandsOf(panel: PanelId, dock: Dock): Command[] {
  const { name, sentence } = panels[panel]
  const isDetached = () => itemOf(dock.layout, panel)?.detached === true
  const section = 'Panels'
  return [
    {
      id: `panel:${panel}`,
      title: strings.commands.show(name),
      section,
      words: sentence,
      run: () => dock.show(panel),
    },
    {
      id: `detach:${panel}`,
      title: strings.commands.detach(name),
      section,
      when: () => !isDetached(),
      run: () => dock.detach(panel),
    },
    {
      id: `bring-back:${panel}`,
      title: strings.commands.bringBack(name),
      section,
      when: isDetached,
      run: () => dock.bringBack(panel),
    },
    {
      id: `close:${panel}`,
      title: strings.commands.close(name),
      section,
      when: () => dock.isShown(panel) && !isDetached(),
      run: () => dock.close(panel),
    },
  ]
}
