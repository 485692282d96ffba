'use client'

import { useCommands } from '@/components/commands/use-commands.ts'
import { labCommandStrings } from '@/lib/strings/lab-command.ts'

/** Opens the lab in a window of its own: nobody should have to leave a document for a measurement. */
export function LabCommand() {
  useCommands([
    {
      id: 'lab',
      title: labCommandStrings.title,
      section: 'View',
      words: labCommandStrings.words,
      run: () => void window.open('/lab', '_blank', 'noopener'),
    },
  ])
  return null
}
