import { useId } from 'react'
import type { TransportSwitch } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import type { TransportId } from '@/lib/transports/transport.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import { isTransportChange } from '@/components/latency/latency-text.ts'
import { clockTime } from '@/components/ui/clock-time.ts'
import type { MeasuredWindow } from './measured-windows.ts'

const MAX_LISTED_EVENTS = 12

/** Lists when and why each window changed its transport or reconnected, the latest first. */
export function TransportEvents({ measuredWindows }: { measuredWindows: readonly MeasuredWindow[] }) {
  const id = useId()
  const events = measuredWindows
    .flatMap(({ name, summary }) =>
      summary.switches.filter(isTransportChange).map((one) => ({ ...one, window: name })),
    )
    .toSorted((a, b) => b.at - a.at)
    .slice(0, MAX_LISTED_EVENTS)
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2">
      <h3 id={id} className="text-sm font-semibold">
        {inspectorStrings.events.title}
      </h3>
      {events.length === 0 ? (
        <p className="text-sm text-muted">{inspectorStrings.events.empty}</p>
      ) : (
        <ul aria-labelledby={id} className="flex flex-col gap-1.5 text-sm">
          {events.map((event) => (
            <li key={`${event.window} ${event.at}`}>
              <span className="flex items-baseline justify-between gap-4">
                <span className="font-medium">{changeText(event)}</span>
                <time dateTime={new Date(event.at).toISOString()} className="text-xs text-muted tabular-nums">
                  {clockTime(new Date(event.at))}
                </time>
              </span>
              <span className="block text-muted">
                {inspectorStrings.events.why(event.window, event.reason)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function changeText({ from, to }: TransportSwitch): string {
  const target = transportNameOf(to as TransportId)
  const { reconnected, switched } = inspectorStrings.events
  return from === to ? reconnected(target) : switched(transportNameOf(from as TransportId), target)
}
