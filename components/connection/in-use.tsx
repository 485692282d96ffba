'use client'

import type { OpenDocument } from '@/lib/client.ts'
import { strings } from '@/lib/strings/connection-dialog.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { useStats } from './use-stats'
import { linkSentence, nameOf, sharedWay, upwardWay, versionOf } from './words'

const milliseconds = (value: number | undefined): string =>
  value === undefined
    ? strings.inUse.notMeasured
    : `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en')} ms`

interface InUseProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
  /** Where somebody measures it more often than the session does. */
  readonly roundTripMs?: number | undefined
}

export function InUse({ opened, status, roundTripMs }: InUseProps) {
  const stats = useStats(opened, status)
  const { link } = status
  // Read from the link itself: its way up may change while it lives, which the status need not hear of.
  const info = link.state === 'up' ? (opened.transport ?? link.info) : undefined
  return (
    <section aria-labelledby="in-use" className="flex flex-col gap-2">
      <h3 id="in-use" className="text-sm font-semibold">
        {strings.inUse.title}
      </h3>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm tabular-nums [&_dt]:text-muted">
        <dt>{strings.inUse.transport}</dt>
        <dd>{info ? nameOf(info.transport) : linkSentence(link)}</dd>
        {info && (
          <>
            <dt>{strings.inUse.protocol}</dt>
            <dd>{versionOf(info)}</dd>
            <dt>{strings.inUse.upload}</dt>
            <dd>{upwardWay(info)}</dd>
            {info.sharedBy && (
              <>
                <dt>{strings.inUse.shared}</dt>
                <dd>{sharedWay(info.sharedBy)}</dd>
              </>
            )}
          </>
        )}
        <dt>{strings.inUse.roundTrip}</dt>
        <dd>{milliseconds(roundTripMs ?? stats.roundTripMs)}</dd>
        <dt>{strings.inUse.switches}</dt>
        <dd>{stats.switches}</dd>
        <dt>{strings.inUse.longestGap}</dt>
        <dd>{stats.longestGapMs > 0 ? milliseconds(stats.longestGapMs) : strings.inUse.noGap}</dd>
      </dl>
      {location.protocol === 'http:' && (
        <p className="rounded-lg bg-sunk px-3 py-2 text-sm text-muted">{strings.inUse.overHttp}</p>
      )}
    </section>
  )
}
