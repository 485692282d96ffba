'use client'

import { PanelsTopLeft } from 'lucide-react'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from '@/components/ui/button'
import { usePopup } from '@/components/ui/use-popup'

const load = () => import('./panels-choices')

export function PanelsMenu() {
  const { trigger, Popup, popup } = usePopup('menu', load)
  useCommands([{ id: 'panels', title: 'Choose panels', section: 'Panels', run: trigger.onClick }])
  return (
    <>
      <button
        {...trigger}
        aria-label="Panels"
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} max-lg:w-9 max-lg:px-0`}
      >
        <PanelsTopLeft size={17} aria-hidden />
        <span className="max-lg:hidden">Panels</span>
      </button>
      {Popup && <Popup {...popup} />}
    </>
  )
}
