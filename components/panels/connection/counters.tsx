'use client'

import { useId } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import { useSessionTime } from '@/components/connection/use-session-time.ts'
import { bytesText } from '@/components/latency/latency-text.ts'

const count = (value: number): string => value.toLocaleString('en')

/** The traffic of this window's links, read once a second. */
export function Counters({ opened }: { opened: Pick<OpenDocument, 'stats'> }) {
  useSessionTime()
  const id = useId()
  const { framesUp, framesDown, bytesUp, bytesDown, links } = opened.stats()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="text-sm font-semibold">
        {inspectorStrings.counters.title}
      </h3>
      <table className="w-full text-sm tabular-nums [&_td]:py-0.5 [&_td]:text-right [&_th]:py-0.5 [&_th]:font-normal [&_th]:text-muted">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">{inspectorStrings.counters.direction}</span>
            </th>
            <th scope="col" className="text-right">
              {inspectorStrings.counters.frames}
            </th>
            <th scope="col" className="text-right">
              {inspectorStrings.counters.bytes}
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className="text-left">
              {inspectorStrings.counters.up}
            </th>
            <td>{count(framesUp)}</td>
            <td>{bytesText(bytesUp)}</td>
          </tr>
          <tr>
            <th scope="row" className="text-left">
              {inspectorStrings.counters.down}
            </th>
            <td>{count(framesDown)}</td>
            <td>{bytesText(bytesDown)}</td>
          </tr>
        </tbody>
      </table>
      <p className="text-sm text-muted">
        {inspectorStrings.counters.links(links, latencyFiguresStrings.queueAndTraffic.framesAlone)}
      </p>
    </section>
  )
}
