'use client'

import { useId } from 'react'
import type { TransportId } from '@/lib/transports/transport.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import type { OwnWindowEntry } from '@/lib/windows/register.ts'
import { transportChoices } from '@/lib/windows/requests.ts'
import { nameOf } from '@/components/connection/words'
import { ownPage } from '@/components/windows/own-page'
import { useRegister } from '@/components/windows/use-register'
import { windowName } from '@/components/windows/words'

/** All windows of this person that are connected, on whatever device, side by side. */
export function OwnWindows() {
  const id = useId()
  const windows = useRegister().filter(({ document }) => document !== null)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2 @2xl:col-span-2">
      <h3 id={id} className="text-sm font-semibold">
        Your windows
      </h3>
      <div className="overflow-x-auto">
        <table className="w-full text-left text-sm [&_td]:py-1 [&_td]:pr-3 [&_th]:py-1 [&_th]:pr-3 [&_th]:font-normal [&_thead_th]:text-muted">
          <thead>
            <tr>
              <th scope="col">Window</th>
              <th scope="col">Transport</th>
              <th scope="col" className="text-right">
                Round trip
              </th>
              <th scope="col">Device</th>
            </tr>
          </thead>
          <tbody>
            {windows.map((entry) => (
              <Row key={entry.id} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Row({ entry }: { entry: OwnWindowEntry }) {
  const { link, self, here, device } = entry
  return (
    <tr className="border-t border-line align-baseline">
      <th scope="row">
        {windowName(entry)}
        {self && <span className="text-muted"> (this one)</span>}
      </th>
      <td>{self ? <Now entry={entry} /> : <Choice entry={entry} />}</td>
      <td className="text-right whitespace-nowrap tabular-nums">
        {link?.roundTripMs === undefined ? '–' : `${link.roundTripMs} ms`}
      </td>
      <td className="text-muted">{here ? 'This browser' : device.name}</td>
    </tr>
  )
}

const wayOf = ({ link }: OwnWindowEntry): string =>
  link ? nameOf(link.transport as TransportId) : 'Not connected'

const Now = ({ entry }: { entry: OwnWindowEntry }) => <>{wayOf(entry)}</>

function Choice({ entry }: { entry: OwnWindowEntry }) {
  const { id, link } = entry
  const choose = (choice: TransportChoice) => ownPage().register.ask(id, { type: 'transport', choice })
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <select
        aria-label={`Transport of ${windowName(entry)}`}
        value={link?.choice ?? 'automatic'}
        onChange={({ target }) => choose(target.value as TransportChoice)}
        className="h-8 max-w-full rounded-lg border border-edge bg-transparent px-1.5"
      >
        {transportChoices.map((choice) => (
          <option key={choice} value={choice}>
            {nameOf(choice)}
          </option>
        ))}
      </select>
      {link?.choice === 'automatic' && <span className="text-muted">{wayOf(entry)}</span>}
      {!link && <span className="text-muted">{wayOf(entry)}</span>}
    </span>
  )
}
