'use client'

import { useId } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { useNow } from '@/components/connection/use-now'
import { bytesText, framesAlone } from '@/components/latency/words'

const count = (value: number): string => value.toLocaleString('en')

/** What went over this window's links, read once a second. */
export function Counters({ opened }: { opened: Pick<OpenDocument, 'stats'> }) {
  useNow()
  const id = useId()
  const { framesUp, framesDown, bytesUp, bytesDown, links } = opened.stats()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="text-sm font-semibold">
        Traffic
      </h3>
      <table className="w-full text-sm tabular-nums [&_td]:py-0.5 [&_td]:text-right [&_th]:py-0.5 [&_th]:font-normal [&_th]:text-muted">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Way</span>
            </th>
            <th scope="col" className="text-right">
              Frames
            </th>
            <th scope="col" className="text-right">
              Bytes
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className="text-left">
              Up
            </th>
            <td>{count(framesUp)}</td>
            <td>{bytesText(bytesUp)}</td>
          </tr>
          <tr>
            <th scope="row" className="text-left">
              Down
            </th>
            <td>{count(framesDown)}</td>
            <td>{bytesText(bytesDown)}</td>
          </tr>
        </tbody>
      </table>
      <p className="text-sm text-muted">
        {links === 1 ? '1 link' : `${count(links)} links`} opened since this window did. {framesAlone}.
      </p>
    </section>
  )
}
