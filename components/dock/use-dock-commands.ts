'use client'

import { itemOf } from '@/lib/windows/layout.ts'
import { panelIds } from '@/lib/windows/panels.ts'
import type { Command } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { panels } from '@/components/panels/registry'
import type { Dock } from './dock'

/** Three of each panel: show it, give it a window, take it back. */
export function useDockCommands(dock: Dock): void {
  useCommands(panelIds.flatMap((panel) => commandsOf(panel, dock)))
}

function commandsOf(panel: (typeof panelIds)[number], dock: Dock): Command[] {
  const { name, sentence } = panels[panel]
  const isDetached = () => itemOf(dock.layout, panel)?.detached === true
  const section = 'Panels'
  return [
    { id: `panel:${panel}`, title: `Show ${name}`, section, words: sentence, run: () => dock.show(panel) },
    {
      id: `detach:${panel}`,
      title: `Open ${name} in its own window`,
      section,
      when: () => !isDetached(),
      run: () => dock.detach(panel),
    },
    {
      id: `bring-back:${panel}`,
      title: `Bring ${name} back`,
      section,
      when: isDetached,
      run: () => dock.bringBack(panel),
    },
    {
      id: `close:${panel}`,
      title: `Close ${name}`,
      section,
      when: () => dock.isShown(panel) && !isDetached(),
      run: () => dock.close(panel),
    },
  ]
}
