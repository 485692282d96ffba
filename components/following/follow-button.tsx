'use client'

import { Footprints } from 'lucide-react'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { useRegister } from '@/components/windows/use-register'
import { useLinked } from './context'

/** One click has the window scroll with the person's others, or by itself. Not shown where they have no other window. */
export function FollowButton() {
  const [linked, setLinked] = useLinked()
  const isAlone = useRegister().every(({ self }) => self)
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
  if (isAlone) return null
  return (
    <Hint
      text={linked ? 'Syncs scroll with your other windows' : 'Does not sync scroll with your other windows'}
    >
      <button
        type="button"
        aria-label="Sync scroll"
        aria-pressed={linked}
        onClick={() => setLinked(!linked)}
        className={`${buttonClass({ look: 'quiet', shape: 'icon' })} aria-pressed:bg-accent-soft aria-pressed:text-accent`}
      >
        <Footprints size={18} aria-hidden />
      </button>
    </Hint>
  )
}
