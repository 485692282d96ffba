'use client'

import { Moon, Sun } from 'lucide-react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import { uiStrings } from '@/lib/strings/ui.ts'

const loadChoices = () => import('./theme-choices.tsx')

export function ThemeMenu() {
  const { trigger, Popup, popup } = usePopup('menu', loadChoices)
  useCommands([
    {
      id: 'theme',
      title: uiStrings.theme.command,
      section: 'View',
      words: uiStrings.theme.words,
      run: trigger.onClick,
    },
  ])
  return (
    <>
      <button
        {...trigger}
        className={buttonClass({ look: 'quiet', shape: 'icon' })}
        aria-label={uiStrings.theme.title}
      >
        <Sun size={18} aria-hidden className="dark:hidden" />
        <Moon size={18} aria-hidden className="hidden dark:block" />
      </button>
      {Popup && <Popup {...popup} />}
    </>
  )
}
