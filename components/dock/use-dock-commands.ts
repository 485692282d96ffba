'use client'

import { itemOf, itemsOf } from '@/lib/windows/panel-layout.ts'
import { panelIds, type PanelId } from '@/lib/windows/panels.ts'
import { type Command, pageCommands } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { panels } from '@/components/panels/panel-registry.ts'
import { toast } from '@/components/ui/toast.ts'
import type { Dock } from './dock.ts'
import { regionId } from '@/components/panels/panel-focus.ts'
import { dockStrings } from '@/lib/strings/dock.ts'

/** Commands for the panel with the focus, and for each panel: show it, move it into a window, dock it. */
export function useDockCommands(dock: Dock): void {
  useCommands([...focusedPanelCommands(dock), ...panelIds.flatMap((panel) => panelCommandsOf(panel, dock))])
}

function focusedPanelCommands(dock: Dock): Command[] {
  const focusedPanel = () => panelIds.find((panel) => document.activeElement?.closest(`#${regionId(panel)}`))
  const focusedChip = () => document.activeElement?.closest('[data-chip]')?.getAttribute('data-chip')
  const detachedItems = () => itemsOf(dock.layout).filter((item) => item.detached)
  return [
    {
      id: 'detach',
      title: dockStrings.commands.detachHere,
      section: 'Windows',
      keys: 'Mod+Alt+W',
      where: dockStrings.commands.whereDetachHere,
      run() {
        const panel = focusedPanel()
        if (panel) dock.detachPanel(panel)
        else pageCommands.run('panels')
      },
    },
    {
      id: 'bring-back',
      title: dockStrings.commands.bringBackLast,
      section: 'Windows',
      keys: 'Mod+Alt+B',
      words: dockStrings.searchWords.bringBackLast,
      run() {
        const [last] = detachedItems().toSorted(
          (a, b) => lastFocusedAt(dock, b.panel) - lastFocusedAt(dock, a.panel),
        )
        const item = detachedItems().find(({ panel }) => panel === focusedChip()) ?? last
        if (item) dock.bringPanelBack(item.panel)
        else toast(dockStrings.toasts.noneToBringBack)
      },
    },
  ]
}

const lastFocusedAt = (dock: Dock, panel: PanelId): number => dock.windowsOf(panel)[0]?.focusedAt ?? 0

function panelCommandsOf(panel: PanelId, dock: Dock): Command[] {
  const { name, sentence, searchWords = '' } = panels[panel]
  const isDetached = () => itemOf(dock.layout, panel)?.detached === true
  const section = 'Panels'
  return [
    {
      id: `panel:${panel}`,
      title: dockStrings.commands.show(name),
      section,
      words: `${sentence} ${searchWords}`,
      run: () => dock.showPanel(panel),
    },
    {
      id: `detach:${panel}`,
      title: dockStrings.commands.detach(name),
      section,
      when: () => !isDetached(),
      run: () => dock.detachPanel(panel),
    },
    {
      id: `bring-back:${panel}`,
      title: dockStrings.commands.bringBack(name),
      section,
      when: isDetached,
      run: () => dock.bringPanelBack(panel),
    },
    {
      id: `close:${panel}`,
      title: dockStrings.commands.close(name),
      section,
      when: () => dock.isPanelShown(panel) && !isDetached(),
      run: () => dock.closePanel(panel),
    },
  ]
}
