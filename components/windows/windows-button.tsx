'use client'

import { AppWindow } from 'lucide-react'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { usePopup } from '@/components/ui/use-popup'
import type { WindowsDialogProps } from './windows-dialog'

const load = () => import('./windows-dialog')

export function WindowsButton(props: WindowsDialogProps) {
  const { trigger, Popup, popup } = usePopup<WindowsDialogProps>('dialog', load)
  useCommands([
    { id: 'windows', title: 'Show my windows on all devices', section: 'Windows', run: trigger.onClick },
  ])
  return (
    <>
      <Hint text="Windows">
        <button
          type="button"
          {...trigger}
          aria-label="Windows"
          className={buttonClass({ look: 'quiet', shape: 'icon' })}
        >
          <AppWindow size={18} aria-hidden />
        </button>
      </Hint>
      {Popup && <Popup {...props} {...popup} />}
    </>
  )
}
