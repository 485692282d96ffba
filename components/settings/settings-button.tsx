'use client'

import { Settings } from 'lucide-react'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { Button } from '@/components/ui/button.tsx'
import { uiStrings } from '@/lib/strings/ui.ts'

export const SettingsButton = () => (
  <Button look="quiet" shape="small" aria-haspopup="dialog" onClick={() => pageCommands.run('settings')}>
    <Settings size={17} aria-hidden /> {uiStrings.settings.title}
  </Button>
)
