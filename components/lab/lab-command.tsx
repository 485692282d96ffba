'use client'

import { useCommands } from '@/components/commands/use-commands'
import { strings } from '@/lib/strings/lab-command.ts'

/** In a window of its own: a measurement is no reason to leave what one writes. */
export function LabCommand() {
  useCommands([
    {
      id: 'lab',
      title: strings.title,
      section: 'View',
      words: strings.words,
      run: () => void window.open('/lab', '_blank', 'noopener'),
    },
  ])
  return null
}
