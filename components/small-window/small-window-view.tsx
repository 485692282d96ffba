'use client'

import { useEffect } from 'react'
import { useLinkStats } from '@/components/connection/use-link-stats.ts'
import { linkLabel } from '@/components/connection/connection-text.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import type { Person } from '@/components/profile/people.ts'
import { usePeople } from '@/components/following/people-group.tsx'
import { SaveStateLabel } from '@/components/editor/save-state/save-state-label.tsx'
import { useHasLasted } from '@/components/ui/use-has-lasted.ts'
import { useYText } from '@/components/opening/page-title.tsx'
import { Button } from '@/components/ui/button.tsx'
import { setSmallWindowTitle } from './picture-in-picture.ts'
import type { SmallWindowProps } from './small-window-props.ts'
import { smallWindowViewStrings } from '@/lib/strings/small-window-view.ts'

/** What a person wants to know of a document while another program is in front. */
export default function SmallWindowView({
  smallWindow,
  opened,
  status,
}: SmallWindowProps & { smallWindow: Window }) {
  const people = usePeople(opened)
  const isDisconnected = useHasLasted(status.link.state !== 'up')
  const title = shownTitle(useYText(opened.doc.getText('title')))
  useEffect(
    () => setSmallWindowTitle(smallWindow, smallWindowViewStrings.pageTitle(title)),
    [smallWindow, title],
  )
  return (
    <main className="flex h-dvh flex-col gap-2 overflow-hidden p-3 text-sm">
      <h1 className="truncate font-serif text-base font-semibold">{title}</h1>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <SaveStateLabel opened={opened} isDisconnected={isDisconnected} />
        <RoundTrip opened={opened} status={status} />
      </div>
      <ul aria-label={smallWindowViewStrings.people} className="min-h-0 flex-1 overflow-y-auto">
        {people.map((person) => (
          <PersonRow key={person.id} person={person} />
        ))}
      </ul>
      {/* Called from the small window, it brings its tab forward. */}
      <Button shape="small" className="self-start" onClick={() => window.focus()}>
        {smallWindowViewStrings.back}
      </Button>
    </main>
  )
}

/** Updates once a second, because nobody reads it faster. */
function RoundTrip({ opened, status }: SmallWindowProps) {
  const { roundTripMs } = useLinkStats(opened, status)
  const link = linkLabel(status.link)
  const isUp = status.link.state === 'up' && roundTripMs !== undefined
  return (
    <span className="text-muted tabular-nums">
      {isUp ? smallWindowViewStrings.roundTrip(link, millisecondsText(roundTripMs)) : link}
    </span>
  )
}

const millisecondsText = (ms: number): string => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)))

const PersonRow = ({ person: { name, colour, self, idle } }: { person: Person }) => (
  <li className="flex min-h-7 items-center gap-2">
    <span aria-hidden className="size-2.5 shrink-0 rounded-full" style={{ background: colour }} />
    <span className="min-w-0 flex-1 truncate">{self ? smallWindowViewStrings.self(name) : name}</span>
    {idle && <span className="text-muted">{smallWindowViewStrings.idle}</span>}
  </li>
)
