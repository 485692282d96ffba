'use client'

import type { OpenDocument } from '@/lib/client.ts'
import { connectionDialogStrings } from '@/lib/strings/connection-dialog.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { useOwnWindowEntries } from '@/components/windows/use-own-window-entries.ts'
import { useLinkStats } from './use-link-stats.ts'
import { linkSentence, transportNameOf, uploadText, protocolText } from './connection-text.ts'

const millisecondsText = (value: number | undefined): string =>
  value === undefined
    ? connectionDialogStrings.inUse.notMeasured
    : `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ms`

interface LinkInUseProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  /** A fresher figure, if something measures more often than the session does. */
  readonly roundTripMs?: number | undefined
}

export function LinkInUse({ opened, status, roundTripMs }: LinkInUseProps) {
  const stats = useLinkStats(opened, status)
  const hasOthers = useOwnWindowEntries().some(({ self, sameBrowser }) => sameBrowser && !self)
  const { link } = status
  // Read from the link itself: its upload mode may change while it lives, without a change of status.
  const info = link.state === 'up' ? (opened.transport ?? link.info) : undefined
  return (
    <section aria-labelledby="in-use" className="flex flex-col gap-2">
      <h3 id="in-use" className="text-sm font-semibold">
        {connectionDialogStrings.inUse.title}
      </h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm tabular-nums [&_dt]:text-muted">
        <dt>{connectionDialogStrings.inUse.transport}</dt>
        <dd>{info ? transportNameOf(info.transport) : linkSentence(link)}</dd>
        {info && (
          <>
            <dt>{connectionDialogStrings.inUse.protocol}</dt>
            <dd>{protocolText(info)}</dd>
            <dt>{connectionDialogStrings.inUse.upload}</dt>
            <dd>{uploadText(info)}</dd>
            {info.shared && (
              <>
                <dt>{connectionDialogStrings.inUse.shared}</dt>
                <dd>{connectionDialogStrings.inUse.sharedWith[hasOthers ? 'others' : 'nobody']}</dd>
              </>
            )}
          </>
        )}
        <dt>{connectionDialogStrings.inUse.roundTrip}</dt>
        <dd>{millisecondsText(roundTripMs ?? stats.roundTripMs)}</dd>
        <dt>{connectionDialogStrings.inUse.switches}</dt>
        <dd>{stats.switches}</dd>
        <dt>{connectionDialogStrings.inUse.longestGap}</dt>
        <dd>
          {stats.longestGapMs > 0
            ? millisecondsText(stats.longestGapMs)
            : connectionDialogStrings.inUse.noGap}
        </dd>
      </dl>
      {location.protocol === 'http:' && (
        <p className="rounded-lg bg-sunk px-3 py-2 text-sm text-muted">
          {connectionDialogStrings.inUse.overHttp}
        </p>
      )}
    </section>
  )
}
