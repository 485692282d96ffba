'use client'

import { PanelsTopLeft } from 'lucide-react'
import { useRef } from 'react'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from '@/components/ui/button'
import { usePopup } from '@/components/ui/use-popup'
import type { PanelsChoicesProps } from './panels-choices'

const load = () => import('./panels-choices')

export function PanelsMenu() {
  const { trigger, Popup, popup } = usePopup<PanelsChoicesProps>('menu', load)
  useCommands([{ id: 'panels', title: 'Choose panels', section: 'Panels', run: trigger.onClick }])
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        {...trigger}
        aria-label="Panels"
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} max-lg:w-9 max-lg:px-0`}
      >
        <PanelsTopLeft size={17} aria-hidden />
        <span className="max-lg:hidden">Panels</span>
      </button>
      {Popup && <Popup anchor={button} {...popup} />}
    </>
  )
}
