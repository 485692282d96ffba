'use client'

import { useCommands } from '@/components/commands/use-commands.ts'
import { useIsOnlyWindow } from '@/components/windows/use-own-window-entries.ts'
import { useLinked } from './following-context.ts'
import { followingStrings } from '@/lib/strings/following.ts'

/** Registers the command that links this window to the person's others or unlinks it. Draws nothing. */
export function SyncScrollCommand() {
  const [linked, setLinked] = useLinked()
  const isAlone = useIsOnlyWindow()
  useCommands([
    {
      id: 'follow',
      title: linked ? followingStrings.commands.syncScroll.stop : followingStrings.commands.syncScroll.start,
      section: 'Windows',
      words: followingStrings.commands.syncScroll.words,
      when: () => !isAlone,
      run: () => setLinked(!linked),
    },
  ])
  return null
}
