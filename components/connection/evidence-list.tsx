import { connectionDialogStrings } from '@/lib/strings/connection-dialog.ts'
import type { TransportFinding } from '@/lib/sync/status.ts'
import { clockTime } from '@/components/ui/clock-time.ts'
import { transportNameOf, wallClockDate } from './connection-text.ts'

/** Explains why this transport is in use: what was tried, how it went, and when. */
export function EvidenceList({ evidence }: { evidence: readonly TransportFinding[] }) {
  return (
    <section aria-labelledby="evidence" className="flex flex-col gap-2">
      <h3 id="evidence" className="text-sm font-semibold">
        {connectionDialogStrings.evidence.title}
      </h3>
      <ul aria-labelledby="evidence" className="flex flex-col gap-1.5 text-sm">
        {evidence.map((finding) => (
          <FindingRow key={finding.transport} finding={finding} />
        ))}
      </ul>
    </section>
  )
}

function FindingRow({ finding: { transport, words, at } }: { finding: TransportFinding }) {
  return (
    <li className="grid grid-cols-[1fr_auto] items-baseline gap-x-4">
      <span className={at === undefined ? 'text-muted' : 'font-medium'}>{transportNameOf(transport)}</span>
      <span className="col-span-2 row-start-2 block min-w-0 break-words text-muted first-letter:uppercase">
        {words}
      </span>
      {at !== undefined && (
        <time dateTime={wallClockDate(at).toISOString()} className="text-xs text-muted tabular-nums">
          {clockTime(wallClockDate(at))}
        </time>
      )}
    </li>
  )
}
