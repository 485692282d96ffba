'use client'

import { useState } from 'react'
import { useCommands } from '@/components/commands/use-commands.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { uiStrings } from '@/lib/strings/ui.ts'

const loadDialog = () => import('./settings-dialog.tsx')

/** Opens the settings over any page. A page renders it once. */
export function SettingsDialogHost() {
  const [open, setOpen] = useState(false)
  useCommands([
    {
      id: 'settings',
      title: uiStrings.settings.title,
      section: 'View',
      keys: 'Mod+,',
      words: uiStrings.settings.words,
      run: () => setOpen(true),
    },
  ])
  const close = () => setOpen(false)
  return open && <LazyComponent load={loadDialog} props={{ onClose: close }} onLoadFailed={close} />
}
