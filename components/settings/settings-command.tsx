'use client'

import { lazy, Suspense, useState } from 'react'
import { useCommands } from '@/components/commands/use-commands'

const SettingsDialog = lazy(() => import('./settings-dialog'))

/** Opens the settings over whatever page this is. Once a page. */
export function SettingsCommand() {
  const [open, setOpen] = useState(false)
  useCommands([
    {
      id: 'settings',
      title: 'Settings',
      section: 'View',
      keys: 'Mod+,',
      words: 'preferences options theme undo transport language',
      run: () => setOpen(true),
    },
  ])
  return (
    open && (
      <Suspense>
        <SettingsDialog onClose={() => setOpen(false)} />
      </Suspense>
    )
  )
}
