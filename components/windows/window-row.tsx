'use client'

import { Eye, Footprints, MonitorDown, MonitorSmartphone, X } from 'lucide-react'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { nameOf } from '@/components/connection/words'
import type { TransportId } from '@/lib/transports/transport.ts'
import type { Sent } from '@/components/reach/send-to'
import { Button } from '@/components/ui/button'
import { Hint } from '@/components/ui/hint'
import { windowIcons } from './icons'
import { openOwn } from './open'
import { ownPage } from './own-page'
import { showAndSay } from './show-and-say'
import { kindName, windowName } from './words'

interface WindowRowProps {
  readonly entry: OwnWindowEntry
  /** Among all of them. */
  readonly name: string
  /** For what this page can answer for: rights on other documents it does not know. */
  readonly onSend?: (what: Omit<Sent, 'role'>) => void
}

export function WindowRow({ entry, name, onSend }: WindowRowProps) {
  const Icon = windowIcons[entry.kind]
  return (
    <li className="flex flex-wrap items-center gap-x-2 py-1.5">
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className={`min-w-0 flex-1 ${entry.self ? '' : 'max-sm:basis-[calc(100%-2rem)]'}`}>
        <span className="block truncate text-sm">{name}</span>
        <span className="block truncate text-xs text-muted empty:hidden">{noteOn(entry)}</span>
      </span>
      <span className="ml-auto flex items-center gap-1">
        <Follow entry={entry} name={name} />
        {onSend && <Send entry={entry} name={name} onSend={onSend} />}
        {!entry.self && !entry.here && <BringHere entry={entry} name={name} />}
        {!entry.self && <Show entry={entry} name={name} />}
        {!entry.self && <Close entry={entry} name={name} />}
      </span>
    </li>
  )
}

function noteOn({ self, link }: OwnWindowEntry): string {
  const way = link && nameOf(link.transport as TransportId)
  const trip = link?.roundTripMs === undefined ? '' : `, ${link.roundTripMs} ms`
  return [self && 'This window', way && `${way}${trip}`].filter(Boolean).join(' · ')
}

interface PartProps {
  readonly entry: OwnWindowEntry
  readonly name: string
}

const Show = ({ entry, name }: PartProps) => (
  <Button shape="small" aria-label={`Show ${name}`} onClick={() => showAndSay(entry)}>
    <Eye size={14} aria-hidden /> Show
  </Button>
)

function Close({ entry, name }: PartProps) {
  return (
    <Hint text="Close">
      <Button
        look="quiet"
        shape="icon"
        aria-label={`Close ${name}`}
        onClick={() => ownPage().register.ask(entry.id, { type: 'close' })}
      >
        <X size={16} aria-hidden />
      </Button>
    </Hint>
  )
}

/** A window moves along with the others, or stays where it is. */
function Follow({ entry: { id, linked, document }, name }: PartProps) {
  if (document === null) return null
  return (
    <Hint
      text={linked ? 'Syncs scroll with your other windows' : 'Does not sync scroll with your other windows'}
    >
      <Button
        look="quiet"
        shape="icon"
        aria-label={`${name} follows`}
        aria-pressed={linked}
        className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
        onClick={() => ownPage().register.ask(id, { type: 'link', linked: !linked })}
      >
        <Footprints size={16} aria-hidden />
      </Button>
    </Hint>
  )
}

function Send({ entry, name, onSend }: PartProps & Required<Pick<WindowRowProps, 'onSend'>>) {
  const { document, kind } = entry
  if (document === null || kind === 'documents' || kind === 'settings') return null
  const what = { document, kind, name: kind === 'text' ? windowName(entry) : kindName(kind) }
  return (
    <Hint text="Send to another device">
      <Button look="quiet" shape="icon" aria-label={`Send ${name} to…`} onClick={() => onSend(what)}>
        <MonitorSmartphone size={16} aria-hidden />
      </Button>
    </Hint>
  )
}

/** What stands on another device is opened here, and closed there. */
function BringHere({ entry, name }: PartProps) {
  const { document, kind, id } = entry
  if (document === null || kind === 'documents' || kind === 'settings') return null
  const bring = () => {
    if (openOwn({ document, kind }) === 'opened') ownPage().register.ask(id, { type: 'close' })
  }
  return (
    <Hint text="Bring it here">
      <Button look="quiet" shape="icon" aria-label={`Bring ${name} here`} onClick={bring}>
        <MonitorDown size={16} aria-hidden />
      </Button>
    </Hint>
  )
}
