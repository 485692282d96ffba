'use client'

import { AppWindow } from 'lucide-react'
import { useState } from 'react'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { usePopup } from '@/components/ui/use-popup'
import type { WindowsDialogProps } from './windows-dialog'
import { WorkspaceCommands } from './workspace-commands'

const load = () => import('./windows-dialog')

export function WindowsButton(props: Omit<WindowsDialogProps, 'startAt'>) {
  const [startAt, setStartAt] = useState<'workspaces' | null>(null)
  const { trigger, Popup, popup } = usePopup<WindowsDialogProps>('dialog', load)
  const show = (at: typeof startAt) => {
    setStartAt(at)
    trigger.onClick()
  }
  useCommands([
    { id: 'windows', title: 'Show my windows on all devices', section: 'Windows', run: () => show(null) },
  ])
  return (
    <>
      <Hint text="Your windows on all devices">
        <button
          {...trigger}
          onClick={() => show(null)}
          aria-label="Windows"
          className={`${buttonClass({ look: 'quiet', shape: 'small' })} max-xl:w-9 max-xl:px-0`}
        >
          <AppWindow size={18} aria-hidden />
          <span className="max-xl:hidden">Windows</span>
        </button>
      </Hint>
      <WorkspaceCommands onSave={() => show('workspaces')} />
      {Popup && <Popup {...props} startAt={startAt} {...popup} />}
    </>
  )
}
