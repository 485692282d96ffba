'use client'

import { useEffect } from 'react'
import { itemOf, withPanel } from '@/lib/windows/panel-layout.ts'
import type { PanelCommand } from '@/lib/windows/panel-command.ts'
import { panels } from '@/components/panels/panel-registry.ts'
import { onUnhandledPanelCommand, cancelPanelCommand } from '@/components/commands/dispatch-panel-command.ts'
import { toast } from '@/components/ui/toast.ts'
import { showOwnWindow } from '@/components/windows/open-windows.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { collectEarlyQuery } from '@/components/find/early-query.ts'
import type { Dock } from './dock.ts'
import { takePendingFocus } from '@/components/panels/panel-focus.ts'
import { dockStrings } from '@/lib/strings/dock.ts'

/** Routes a command for a panel that is not in this window: opens the panel, or sends the command to its window. */
export function usePanelCommandRouting(dock: Dock): void {
  useEffect(() => onUnhandledPanelCommand((command) => routeCommand(dock, command)), [dock])
}

function routeCommand(dock: Dock, command: PanelCommand): void {
  const { panel } = command
  const windows = dock.windowsOf(panel)
  const isDetached = itemOf(dock.layout, panel)?.detached ?? false
  const window = windows.find(({ sameBrowser }) => sameBrowser) ?? (isDetached ? windows[0] : undefined)
  if (!window) return openForCommand(dock, command)
  cancelPanelCommand(command)
  ownPage().registry.sendRequest(window.id, { type: 'wish', wish: command })
  toast(dockStrings.toasts.inAnotherWindow(panels[panel].name), {
    id: panel,
    action: { label: dockStrings.toasts.show, onClick: () => void showOwnWindow(window) },
  })
}

/**
 * Opens the panel. A command to find or to save a version gives it the focus; a click on commented text leaves the focus in the text. If
 * comments would cover the text, the person decides.
 */
function openForCommand(dock: Dock, { panel }: PanelCommand): void {
  if (panel === 'find') {
    dock.showPanel(panel)
    // The panel takes the focus with its field.
    takePendingFocus(panel)
    collectEarlyQuery(panels[panel].name)
  } else if (panel !== 'comments') dock.showPanel(panel)
  else if (dock.hasColumns) dock.updateLayout((now) => withPanel(now, panel))
  else
    toast(dockStrings.toasts.comment, {
      id: panel,
      action: { label: dockStrings.toasts.show, onClick: () => dock.showPanel(panel) },
    })
}
