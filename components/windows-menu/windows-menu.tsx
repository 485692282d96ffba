'use client'

import { AppWindow, PanelsTopLeft } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { useDock } from '@/components/dock/dock.ts'
import { SyncScrollCommand } from '@/components/following/sync-scroll-command.tsx'
import { useHasEntries } from '@/components/opening/use-has-entries.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { LazyOnDemand } from '@/components/ui/lazy-component.tsx'
import { loadInBackground } from '@/lib/load-in-background.ts'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { WindowsDialogProps } from './windows-dialog.tsx'
import { windowsStrings } from '@/lib/strings/windows.ts'

const loadMenu = () => import('./windows-menu-popup.tsx')
const loadDialog = () => import('./windows-dialog.tsx')
const loadWorkspaceCommands = loadInBackground(() => import('./workspace-commands.tsx'))

/** Shows what is beside the text, what is in windows of its own, and whether they scroll together. */
export function WindowsMenu(props: Omit<WindowsDialogProps, 'startAt'>) {
  const [startAt, setStartAt] = useState<'workspaces' | null>(null)
  const menu = usePopup('menu', loadMenu)
  const dialog = usePopup<WindowsDialogProps>('dialog', loadDialog)
  const showDialog = (focusedSection: typeof startAt) => {
    setStartAt(focusedSection)
    dialog.trigger.onClick()
  }
  const dock = useDock()
  // A panel in a window of its own has no panels beside it.
  const [name, Icon] = dock
    ? [windowsStrings.menu.panels, PanelsTopLeft]
    : [windowsStrings.menu.button, AppWindow]
  const storedWorkspaces = dock?.document.opened.desk?.doc.getMap('workspaces')
  // Most people have no workspace, and load nothing for it.
  const hasWorkspaces = useHasEntries(storedWorkspaces)
  useCommands([
    {
      id: 'panels',
      title: windowsStrings.commands.choosePanels,
      section: 'Panels',
      when: () => dock !== null,
      run: menu.trigger.onClick,
    },
    {
      id: 'windows',
      title: windowsStrings.commands.showAll,
      section: 'Windows',
      run: () => showDialog(null),
    },
    {
      id: 'save-workspace',
      ...windowsStrings.commands.saveWorkspace,
      section: 'Windows',
      when: () => storedWorkspaces !== undefined,
      run: () => showDialog('workspaces'),
    },
  ])
  return (
    <>
      <button
        {...menu.trigger}
        aria-label={name}
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} max-lg:w-9 max-lg:px-0`}
      >
        <Icon size={18} aria-hidden />
        <span className="max-lg:hidden">{name}</span>
      </button>
      <SyncScrollCommand />
      <LazyOnDemand isWanted={hasWorkspaces} load={loadWorkspaceCommands} props={{}} />
      {menu.Popup && <menu.Popup {...menu.popup} />}
      {dialog.Popup && <dialog.Popup {...props} startAt={startAt} {...dialog.popup} />}
    </>
  )
}
