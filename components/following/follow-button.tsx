'use client'

import { Footprints } from 'lucide-react'
import { useCommands } from '@/components/commands/use-commands'
import { buttonClass } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { useLinked } from './context'

/** One click takes the window out of step with the person's others, or back. */
export function FollowButton() {
  const [linked, setLinked] = useLinked()
  useCommands([
    {
      id: 'follow',
      title: linked ? 'Take this window out of step with your others' : 'Move along with your other windows',
      section: 'Windows',
      words: 'follow link unlink scroll',
      run: () => setLinked(!linked),
    },
  ])
  return (
    <Hint
      text={linked ? 'Moves along with your other windows' : 'Does not scroll along with your other windows'}
    >
      <button
        type="button"
        aria-label="Follow"
        aria-pressed={linked}
        onClick={() => setLinked(!linked)}
        className={`${buttonClass({ look: 'quiet', shape: 'icon' })} aria-pressed:bg-accent-soft aria-pressed:text-accent`}
      >
        <Footprints size={18} aria-hidden />
      </button>
    </Hint>
  )
}
