'use client'

import { useState } from 'react'
import { useCommands } from '@/components/commands/use-commands'
import { Late } from '@/components/ui/late'
import { strings } from '@/lib/strings/ui.ts'

const load = () => import('./settings-dialog')

/** Opens the settings over whatever page this is. Once a page. */
export function SettingsCommand() {
  const [open, setOpen] = useState(false)
  useCommands([
    {
      id: 'settings',
      title: strings.settings.title,
      section: 'View',
      keys: 'Mod+,',
      words: strings.settings.words,
      run: () => setOpen(true),
    },
  ])
  const close = () => setOpen(false)
  return open && <Late load={load} props={{ onClose: close }} onMissing={close} />
}
