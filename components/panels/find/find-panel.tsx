'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { stretchOfMatch, type Match } from '@/lib/text/find.ts'
import { positionsOf } from '@/lib/text/lines.ts'
import type { Command } from '@/components/commands/registry'
import { useCommands } from '@/components/commands/use-commands'
import { useGoTo } from '@/components/following/context'
import { mayWrite } from '@/components/opening/may-write'
import type { PanelProps } from '../panel'
import { wish } from '../wish'
import { FindField } from './find-field'
import { finderOf } from './finder-here'
import { Matches } from './matches'
import { ReplaceField } from './replace-field'
import { strings } from '@/lib/strings/find.ts'

/** Beside a text it is the text's own command, which knows what is selected. */
const findHere: Command = {
  id: 'find',
  title: strings.command,
  section: 'Go to',
  keys: 'Mod+F',
  run: () => wish({ panel: 'find', text: '' }),
}

export default function FindPanel({ opened, role, status, docked }: PanelProps) {
  const finder = finderOf(opened)
  const finding = useSyncExternalStore(finder.subscribe, finder.get)
  const look = useLook(opened)
  useEffect(() => finder.open(), [finder])
  const step = (by: 1 | -1) => look(finder.step(by))
  useCommands([
    ...(docked ? [] : [findHere]),
    {
      id: 'find.next',
      title: strings.next,
      section: 'Go to',
      keys: ['F3', 'Mod+G'],
      where: strings.whereStepping,
      run: () => step(1),
    },
    {
      id: 'find.previous',
      title: strings.previous,
      section: 'Go to',
      keys: ['Shift+F3', 'Mod+Shift+G'],
      where: strings.whereStepping,
      run: () => step(-1),
    },
  ])
  return (
    <>
      <div className="sticky top-0 z-10 border-b border-line bg-paper">
        <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 p-3">
          <FindField finder={finder} finding={finding} takesFocus={!docked} onStep={step} onFound={look} />
          {mayWrite({ role, status }) ? (
            <ReplaceField opened={opened} finder={finder} finding={finding} onFound={look} />
          ) : (
            <p className="text-xs text-muted">{strings.replace.viewOnly}</p>
          )}
        </div>
      </div>
      <Matches
        finding={finding}
        texts={finder.lines.texts}
        onChoose={(index) => look(finder.choose(index))}
      />
    </>
  )
}

/** Shows a match wherever the text is. */
function useLook(opened: PanelProps['opened']): (match: Match | null) => void {
  const goTo = useGoTo()
  return (match) => {
    if (!match) return
    const spot = positionsOf(finderOf(opened).lines, stretchOfMatch(match))
    if (spot) goTo(spot)
  }
}
