'use client'

import { Eye, MonitorDown, MonitorSmartphone, ScrollText, X } from 'lucide-react'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import type { TransportId } from '@/lib/transports/transport.ts'
import type { HandoffItem } from '@/components/device-handoff/send-dialog-host.tsx'
import { Button } from '@/components/ui/button.tsx'
import { windowIcons } from './window-icons.ts'
import { openNewWindow } from '@/components/windows/open-windows.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { RowAction } from './row-action.tsx'
import { showWindowOrExplain } from '@/components/windows/show-or-explain.ts'
import { useIsOnlyWindow } from '@/components/windows/use-own-window-entries.ts'
import { windowKindName, windowName } from '@/components/windows/window-text.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { windowsDialogStrings } from '@/lib/strings/windows-dialog.ts'

interface WindowRowProps {
  readonly entry: OwnWindowEntry
  /** The window's name among all of them. */
  readonly name: string
  /** Only for this page's document: it does not know the rights on other documents. */
  readonly onSend?: (sentWindow: Omit<HandoffItem, 'role'>) => void
}

export function WindowRow({ entry, name, onSend }: WindowRowProps) {
  const Icon = windowIcons[entry.kind]
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 py-2">
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 basis-[calc(100%-2rem)]">
        <span className="block truncate text-sm">{name}</span>
        <span className="block truncate text-xs text-muted empty:hidden">{noteOf(entry)}</span>
      </span>
      <span className="-ml-1 flex flex-wrap items-center gap-1 empty:hidden sm:ml-4">
        {!entry.self && <ShowAction entry={entry} name={name} />}
        {!entry.self && !entry.sameBrowser && <BringHereAction entry={entry} name={name} />}
        {onSend && <SendAction entry={entry} name={name} onSend={onSend} />}
        <SyncScrollAction entry={entry} name={name} />
        {!entry.self && <CloseAction entry={entry} name={name} />}
      </span>
    </li>
  )
}

function noteOf({ self, link }: OwnWindowEntry): string {
  const transportName = link && transportNameOf(link.transport as TransportId)
  const roundTripMs = link?.roundTripMs
  const connection =
    transportName && roundTripMs !== undefined
      ? windowsDialogStrings.row.link(transportName, roundTripMs)
      : transportName
  return [self && windowsDialogStrings.row.thisWindow, connection].filter(Boolean).join(' · ')
}

interface WindowActionProps {
  readonly entry: OwnWindowEntry
  readonly name: string
}

const ShowAction = ({ entry, name }: WindowActionProps) => (
  <Button
    shape="small"
    aria-label={windowsDialogStrings.row.showLabel(name)}
    onClick={() => showWindowOrExplain(entry)}
  >
    <Eye size={14} aria-hidden /> {windowsDialogStrings.row.show}
  </Button>
)

const CloseAction = ({ entry, name }: WindowActionProps) => (
  <RowAction
    text={commonStrings.close}
    label={windowsDialogStrings.row.closeLabel(name)}
    Icon={X}
    onClick={() => ownPage().registry.sendRequest(entry.id, { type: 'close' })}
  />
)

/** Links a window to the others or unlinks it. */
function SyncScrollAction({ entry: { id, linked, document }, name }: WindowActionProps) {
  if (useIsOnlyWindow() || document === null) return null
  return (
    <RowAction
      text={windowsDialogStrings.row.syncScroll}
      label={windowsDialogStrings.row.syncScrollLabel(name)}
      Icon={ScrollText}
      aria-pressed={linked}
      className="aria-pressed:bg-accent-soft aria-pressed:text-accent"
      onClick={() => ownPage().registry.sendRequest(id, { type: 'link', linked: !linked })}
    />
  )
}

function SendAction({ entry, name, onSend }: WindowActionProps & Required<Pick<WindowRowProps, 'onSend'>>) {
  const { document, kind } = entry
  if (document === null || kind === 'documents' || kind === 'settings') return null
  const sentWindow = { document, kind, name: kind === 'text' ? windowName(entry) : windowKindName(kind) }
  return (
    <RowAction
      text={windowsDialogStrings.row.send}
      label={windowsDialogStrings.row.sendLabel(name)}
      Icon={MonitorSmartphone}
      onClick={() => onSend(sentWindow)}
    />
  )
}

/** A window of another device is opened here and closed there. */
function BringHereAction({ entry, name }: WindowActionProps) {
  const { document, kind, id } = entry
  if (document === null || kind === 'documents' || kind === 'settings') return null
  const bring = () => {
    if (openNewWindow({ document, kind }) === 'opened') ownPage().registry.sendRequest(id, { type: 'close' })
  }
  return (
    <RowAction
      text={windowsDialogStrings.row.bringHere}
      label={windowsDialogStrings.row.bringHereLabel(name)}
      Icon={MonitorDown}
      onClick={bring}
    />
  )
}
