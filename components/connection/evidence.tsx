import type { Finding } from '@/lib/sync/status.ts'
import { nameOf } from './words'

/** `at` counts from the page's start, by a clock that nobody can set. */
const timeOf = (at: number): Date => new Date(performance.timeOrigin + at)

/** Why this transport and not another, in words: what was tried, when, and how it went. */
export function Evidence({ evidence }: { evidence: readonly Finding[] }) {
  if (evidence.length === 0) return null
  return (
    <section aria-labelledby="evidence" className="flex flex-col gap-2">
      <h3 id="evidence" className="text-sm font-semibold">
        What was tried
      </h3>
      <ul aria-labelledby="evidence" className="flex flex-col gap-1.5 text-sm">
        {evidence.map(({ transport, at, words }) => (
          <li key={transport} className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-medium">{nameOf(transport)}:</span>
            <span className="min-w-0 flex-1">{words}</span>
            {at !== undefined && (
              <time dateTime={timeOf(at).toISOString()} className="text-xs text-muted tabular-nums">
                {timeOf(at).toLocaleTimeString()}
              </time>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
