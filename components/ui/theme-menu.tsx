'use client'

import { Moon, Sun } from 'lucide-react'
import { useRef } from 'react'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from './button'
import type { ThemeChoicesProps } from './theme-choices'
import { usePopup } from './use-popup'

const load = () => import('./theme-choices')

export function ThemeMenu() {
  const { trigger, Popup, popup } = usePopup<ThemeChoicesProps>('menu', load)
  useCommands([
    { id: 'theme', title: 'Choose the theme', section: 'View', words: 'dark light', run: trigger.onClick },
  ])
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        {...trigger}
        className={buttonClass({ look: 'quiet', shape: 'icon' })}
        aria-label="Theme"
      >
        <Sun size={18} aria-hidden className="dark:hidden" />
        <Moon size={18} aria-hidden className="hidden dark:block" />
      </button>
      {Popup && <Popup anchor={button} {...popup} />}
    </>
  )
}
