'use client'

import { useCommands } from '@/components/commands/use-commands'

/** In a window of its own: a measurement is no reason to leave what one writes. */
export function LabCommand() {
  useCommands([
    {
      id: 'lab',
      title: 'Measure my windows in the lab',
      section: 'View',
      words: 'latency delay benchmark keystrokes dashboard transport compare',
      run: () => void window.open('/lab', '_blank', 'noopener'),
    },
  ])
  return null
}
