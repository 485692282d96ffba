'use client'

import { useEffect, useSyncExternalStore } from 'react'
import { rangeOfMatch, type SearchMatch } from '@/lib/text/search-match.ts'
import { relativePositionsOf } from '@/lib/text/lines.ts'
import type { Command } from '@/components/commands/command-registry.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { useGoTo } from '@/components/following/following-context.ts'
import { canWrite } from '@/components/opening/can-write.ts'
import type { PanelProps } from '../panel-props.ts'
import { dispatchPanelCommand } from '@/components/commands/dispatch-panel-command.ts'
import { broadcastSearch } from '@/components/find/broadcast-search.ts'
import { FindField } from './find-field.tsx'
import { finderOf } from '@/components/find/finder-of.ts'
import { MatchList } from './match-list.tsx'
import { ReplaceField } from './replace-field.tsx'
import { findStrings } from '@/lib/strings/find.ts'

/** Beside a text, the text registers this command itself, because it knows the selection. */
const findCommand: Command = {
  id: 'find',
  title: findStrings.command,
  section: 'Go to',
  keys: 'Mod+F',
  run: () => dispatchPanelCommand({ panel: 'find', text: '' }),
}

export default function FindPanel({ opened, role, status, docked }: PanelProps) {
  const finder = finderOf(opened)
  const searchState = useSyncExternalStore(finder.subscribe, finder.get)
  const goToMatch = useGoToMatch(opened)
  useEffect(() => (docked ? undefined : broadcastSearch(opened, finder)), [docked, opened, finder])
  const goToNeighbour = (direction: 1 | -1) => goToMatch(finder.moveBy(direction))
  useCommands([
    ...(docked ? [] : [findCommand]),
    {
      id: 'find.next',
      title: findStrings.next,
      section: 'Go to',
      keys: ['F3', 'Mod+G'],
      where: findStrings.whereStepping,
      run: () => goToNeighbour(1),
    },
    {
      id: 'find.previous',
      title: findStrings.previous,
      section: 'Go to',
      keys: ['Shift+F3', 'Mod+Shift+G'],
      where: findStrings.whereStepping,
      run: () => goToNeighbour(-1),
    },
  ])
  return (
    <>
      <div className="sticky top-0 z-10 border-b border-line bg-paper">
        <div className="mx-auto flex w-full max-w-3xl flex-col gap-2 p-3">
          <FindField
            finder={finder}
            searchState={searchState}
            takesFocus={!docked}
            onMove={goToNeighbour}
            onMatch={goToMatch}
          />
          {canWrite({ role, status }) ? (
            <ReplaceField opened={opened} finder={finder} searchState={searchState} onMatch={goToMatch} />
          ) : (
            <p className="text-xs text-muted">{findStrings.replace.viewOnly}</p>
          )}
        </div>
      </div>
      <MatchList
        searchState={searchState}
        texts={finder.searchedLines.texts}
        onChoose={(index) => goToMatch(finder.selectMatch(index))}
      />
    </>
  )
}

/** Shows a match wherever the text is. */
function useGoToMatch(opened: PanelProps['opened']): (match: SearchMatch | null) => void {
  const goTo = useGoTo()
  return (match) => {
    if (!match) return
    const position = relativePositionsOf(finderOf(opened).lines, rangeOfMatch(match))
    if (position) goTo(position)
  }
}
