'use client'

import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { useDock } from '@/components/dock/dock.ts'
import { SyncScrollCommand } from '@/components/following/sync-scroll-command.tsx'
import { buttonClass } from '@/components/ui/button.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { WindowsDialogProps } from './windows-dialog.tsx'
import { WorkspaceCommands } from './workspace-commands.tsx'
import { strings } from '@/lib/strings/windows.ts'

const loadMenu = () => import('./windows-menu-popup.tsx')
const loadDialog = () => import('./windows-dialog.tsx')

/** Shows what is beside the text, what is in windows of its own, and whether they scroll together. */
export function WindowsMenu(props: Omit<WindowsDialogProps, 'startAt'>) {
  const [startAt, setStartAt] = useState<'workspaces' | null>(null)
  const menu = usePopup('menu', loadMenu)
  const dialog = usePopup<WindowsDialogProps>('dialog', loadDialog)
  const showDialog = (focusedSection: typeof startAt) => {
    setStartAt(focusedSection)
    dialog.trigger.onClick()
  }
  const hasDock = useDock() !== null
  useCommands([
    {
      id: 'panels',
      title: strings.commands.choosePanels,
      section: 'Panels',
      when: () => hasDock,
      run: menu.trigger.onClick,
    },
    { id: 'windows', title: strings.commands.showAll, section: 'Windows', run: () => showDialog(null) },
  ])
  return (
    <>
      <button
        {...menu.trigger}
        aria-label={strings.menu.button}
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} max-lg:w-9 max-lg:px-0`}
      >
        <AppWindow size={18} aria-hidden />
        <span className="max-lg:hidden">{strings.menu.button}</span>
      </button>
      <SyncScrollCommand />
      <WorkspaceCommands onSave={() => showDialog('workspaces')} />
      {menu.Popup && <menu.Popup {...menu.popup} />}
      {dialog.Popup && <dialog.Popup {...props} startAt={startAt} {...dialog.popup} />}
    </>
  )
}
