'use client'

import { Eye, MonitorDown, MonitorSmartphone, ScrollText, X } from 'lucide-react'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { nameOf } from '@/components/connection/words'
import type { TransportId } from '@/lib/transports/transport.ts'
import type { Sent } from '@/components/reach/send-to'
import { Button } from '@/components/ui/button'
import { windowIcons } from './icons'
import { openOwn } from './open'
import { ownPage } from './own-page'
import { RowAction } from './row-action'
import { showAndSay } from './show-and-say'
import { useIsAlone } from './use-register'
import { kindName, windowName } from './words'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/windows-dialog.ts'

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
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 py-2">
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 basis-[calc(100%-2rem)]">
        <span className="block truncate text-sm">{name}</span>
        <span className="block truncate text-xs text-muted empty:hidden">{noteOn(entry)}</span>
      </span>
      <span className="-ml-1 flex flex-wrap items-center gap-1 empty:hidden sm:ml-4">
        {!entry.self && <Show entry={entry} name={name} />}
        {!entry.self && !entry.here && <BringHere entry={entry} name={name} />}
        {onSend && <Send entry={entry} name={name} onSend={onSend} />}
        <SyncScroll entry={entry} name={name} />
        {!entry.self && <Close entry={entry} name={name} />}
      </span>
    </li>
  )
}

function noteOn({ self, link }: OwnWindowEntry): string {
  const way = link && nameOf(link.transport as TransportId)
  const trip = link?.roundTripMs
  const connection = way && trip !== undefined ? strings.row.link(way, trip) : way
  return [self && strings.row.thisWindow, connection].filter(Boolean).join(' · ')
}

interface PartProps {
  readonly entry: OwnWindowEntry
  readonly name: string
}

const Show = ({ entry, name }: PartProps) => (
  <Button shape="small" aria-label={strings.row.showLabel(name)} onClick={() => showAndSay(entry)}>
    <Eye size={14} aria-hidden /> {strings.row.show}
  </Button>
)

const Close = ({ entry, name }: PartProps) => (
  <RowAction
    text={common.close}
    label={strings.row.closeLabel(name)}
    Icon={X}
    onClick={() => ownPage().register.ask(entry.id, { type: 'close' })}
  />
)

/** A window moves along with the others, or stays where it is. */
function SyncScroll({ entry: { id, linked, document }, name }: PartProps) {
  if (useIsAlone() || document === null) return null
  return (
    <RowAction
      text={strings.row.syncScroll}
      label={strings.row.syncScrollLabel(name)}
      Icon={ScrollText}
      aria-pressed={linked}
      className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
      onClick={() => ownPage().register.ask(id, { type: 'link', linked: !linked })}
    />
  )
}

function Send({ entry, name, onSend }: PartProps & Required<Pick<WindowRowProps, 'onSend'>>) {
  const { document, kind } = entry
  if (document === null || kind === 'documents' || kind === 'settings') return null
  const what = { document, kind, name: kind === 'text' ? windowName(entry) : kindName(kind) }
  return (
    <RowAction
      text={strings.row.send}
      label={strings.row.sendLabel(name)}
      Icon={MonitorSmartphone}
      onClick={() => onSend(what)}
    />
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
    <RowAction
      text={strings.row.bringHere}
      label={strings.row.bringHereLabel(name)}
      Icon={MonitorDown}
      onClick={bring}
    />
  )
}
