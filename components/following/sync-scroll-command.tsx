'use client'

import { useCommands } from '@/components/commands/use-commands.ts'
import { useIsOnlyWindow } from '@/components/windows/use-own-window-entries.ts'
import { useLinked } from './following-context.ts'
import { strings } from '@/lib/strings/following.ts'

/** Registers the command that links this window to the person's others or unlinks it. Draws nothing. */
export function SyncScrollCommand() {
  const [linked, setLinked] = useLinked()
  const isAlone = useIsOnlyWindow()
  useCommands([
    {
      id: 'follow',
      title: linked ? strings.commands.syncScroll.stop : strings.commands.syncScroll.start,
      section: 'Windows',
      words: strings.commands.syncScroll.words,
      when: () => !isAlone,
      run: () => setLinked(!linked),
    },
  ])
  return null
}
