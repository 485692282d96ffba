'use client'

import { useState } from 'react'
import { useCommands } from '@/components/commands/use-commands'
import { Late } from '@/components/ui/late'

const load = () => import('./settings-dialog')

/** Opens the settings over whatever page this is. Once a page. */
export function SettingsCommand() {
  const [open, setOpen] = useState(false)
  useCommands([
    {
      id: 'settings',
      title: 'Settings',
      section: 'View',
      keys: 'Mod+,',
      words: 'preferences options theme dark light undo transport language',
      run: () => setOpen(true),
    },
  ])
  const close = () => setOpen(false)
  return open && <Late load={load} props={{ onClose: close }} onMissing={close} />
}
