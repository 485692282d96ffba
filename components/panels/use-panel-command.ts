'use client'

import { useEffect, useRef } from 'react'
import type { PanelCommand } from '@/lib/windows/panel-command.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { onPanelCommand } from '@/components/commands/dispatch-panel-command.ts'

/** For a panel: runs commands that the person gives it elsewhere, in this window or in another one of theirs. */
export function usePanelCommand<Panel extends PanelCommand['panel']>(
  panel: Panel,
  listener: (command: Extract<PanelCommand, { panel: Panel }>) => void,
): void {
  const latest = useRef(listener)
  useEffect(() => {
    latest.current = listener
  })
  useEffect(() => {
    const stopCommands = onPanelCommand(panel, (command) => latest.current(command))
    const stopRequests = ownPage().registry.onRequest((request) => {
      if (request.type === 'wish' && request.wish.panel === panel)
        latest.current(request.wish as Extract<PanelCommand, { panel: Panel }>)
    })
    return () => {
      stopCommands()
      stopRequests()
    }
  }, [panel])
}
