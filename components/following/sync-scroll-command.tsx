'use client'

import { useCommands } from '@/components/commands/use-commands'
import { useIsAlone } from '@/components/windows/use-register'
import { useLinked } from './context'

/** Has the window scroll with the person's others, or by itself. Draws nothing. */
export function SyncScrollCommand() {
  const [linked, setLinked] = useLinked()
  const isAlone = useIsAlone()
  useCommands([
    {
      id: 'follow',
      title: linked ? 'Stop syncing scroll in this window' : 'Sync scroll in this window',
      section: 'Windows',
      words: 'follow link unlink scroll',
      when: () => !isAlone,
      run: () => setLinked(!linked),
    },
  ])
  return null
}
