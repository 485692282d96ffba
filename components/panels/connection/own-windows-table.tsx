'use client'

import { Fragment, useId } from 'react'
import type { EarlierLinkFigures, Percentiles, LatencySummary } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import type { TransportId } from '@/lib/transports/transport.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import type { OwnWindowEntry } from '@/lib/windows/window-registry.ts'
import { transportChoices } from '@/lib/windows/window-requests.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import { SimulatedBadge } from '@/components/latency/simulated-badge.tsx'
import { bytesText, linkText, msText, percentileText, stageNames } from '@/components/latency/latency-text.ts'
import { scrollableProps } from '@/components/ui/scrollable-props.ts'
import { ownPage } from '@/components/windows/own-page.ts'
import { useOwnWindowEntries, useWindowNames } from '@/components/windows/use-own-window-entries.ts'
import type { MeasuredWindow } from './measured-windows.ts'

/** Compares all connected windows of this person, on all devices. */
export function OwnWindowsTable({ measuredWindows }: { measuredWindows: readonly MeasuredWindow[] }) {
  const id = useId()
  const windows = useOwnWindowEntries().filter(({ document }) => document !== null)
  const windowName = useWindowNames()
  const summaries = new Map(measuredWindows.map(({ id: window, summary }) => [window, summary]))
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 @2xl:col-span-2">
      <h3 id={id} className="text-sm font-semibold">
        {inspectorStrings.windows.title}
      </h3>
      <div className="scrolls-x" {...scrollableProps(inspectorStrings.windows.figures)}>
        <table className="table-cards w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pr-4 [&_th]:py-1 [&_th]:pr-4 [&_th]:font-normal [&_thead_th]:text-muted">
          <thead>
            <tr>
              <th scope="col">{inspectorStrings.windows.window}</th>
              <th scope="col" className="@max-2xl:hidden">
                {inspectorStrings.windows.transport}
              </th>
              <th scope="col" className="text-right">
                {inspectorStrings.windows.roundTrip}
              </th>
              {figureColumns.map(({ name }) => (
                <th key={name} scope="col" className="text-right">
                  {name}
                </th>
              ))}
              <th scope="col">{inspectorStrings.windows.device}</th>
            </tr>
          </thead>
          <tbody>
            {windows.map((entry) => (
              <Fragment key={entry.id}>
                <Row entry={entry} name={windowName(entry)} summary={summaries.get(entry.id)} />
                {summaries.get(entry.id)?.earlier.map((earlier) => (
                  <EarlierRow key={linkText(earlier.link)} earlier={earlier} />
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-sm text-muted">
        {inspectorStrings.windows.note(latencyFiguresStrings.queueAndTraffic.framesAlone)}
      </p>
    </section>
  )
}

const shownStages = ['ownPaint', 'acknowledged', 'saved'] as const

const medianAndTail = (figures: Percentiles): string =>
  figures.count === 0 ? '–' : `${percentileText(figures, 'p50')} / ${percentileText(figures, 'p95')}`

const figureColumns: readonly {
  readonly name: string
  readonly show: (summary: LatencySummary) => string
}[] = [
  ...shownStages.map((stage) => ({
    name: stageNames[stage],
    show: ({ own }: LatencySummary) => medianAndTail(own[stage]),
  })),
  {
    name: inspectorStrings.windows.bytesPerKey,
    show: ({ perKey }) => (perKey ? `${bytesText(perKey.up)} / ${bytesText(perKey.down)}` : '–'),
  },
  { name: inspectorStrings.windows.waiting, show: ({ queue }) => String(queue.edits) },
]

interface RowProps {
  readonly entry: OwnWindowEntry
  readonly name: string
  /** The window's own measurements; undefined if it reported none. */
  readonly summary: LatencySummary | undefined
}

function Row({ entry, name, summary }: RowProps) {
  const { self, sameBrowser, device } = entry
  return (
    <tr className="border-t border-line align-baseline whitespace-nowrap">
      <th scope="row" className="max-w-72 min-w-32 whitespace-normal">
        {name}
        {self && <span className="text-muted"> {inspectorStrings.thisOne}</span>}
        <span className="block @2xl:hidden">
          <TransportCell entry={entry} name={name} />
        </span>
      </th>
      <td className="@max-2xl:hidden">
        <TransportCell entry={entry} name={name} />
      </td>
      <td data-head={inspectorStrings.windows.roundTrip} className="text-right">
        {roundTripText(entry, summary)}
      </td>
      {figureColumns.map(({ name, show }) => (
        <td key={name} data-head={name} className="text-right">
          {summary ? show(summary) : '–'}
        </td>
      ))}
      <td data-head={inspectorStrings.windows.device} className="text-muted">
        {sameBrowser ? inspectorStrings.windows.thisBrowser : device.name}
      </td>
    </tr>
  )
}

/** A row below its window, for edits that the figures there do not count. */
const EarlierRow = ({ earlier: { link, edits, own } }: { earlier: EarlierLinkFigures }) => (
  <tr className="align-baseline whitespace-nowrap text-muted">
    <th scope="row" colSpan={2} className="pl-4">
      {inspectorStrings.windows.before(edits, linkText(link))}
    </th>
    <td aria-hidden className="@max-2xl:hidden" />
    {shownStages.map((stage) => (
      <td key={stage} data-head={stageNames[stage]} className="text-right">
        {medianAndTail(own[stage])}
      </td>
    ))}
    <td aria-hidden colSpan={3} />
  </tr>
)

/** The transport, in a column of its own, or below the name if a column would push the figures out of view. */
const TransportCell = ({ entry, name }: Pick<RowProps, 'entry' | 'name'>) => (
  <span className="flex flex-wrap items-baseline gap-x-2">
    {entry.self ? transportText(entry) : <TransportSelect entry={entry} name={name} />}
    {entry.simulated && <SimulatedBadge />}
  </span>
)

function roundTripText({ link }: OwnWindowEntry, summary: LatencySummary | undefined): string {
  const now = summary?.roundTrip.now ?? link?.roundTripMs
  return now === undefined ? '–' : `${msText(now)} ms`
}

const transportText = ({ link }: OwnWindowEntry): string =>
  link ? transportNameOf(link.transport as TransportId) : inspectorStrings.windows.notConnected

function TransportSelect({ entry, name }: Pick<RowProps, 'entry' | 'name'>) {
  const { id, link } = entry
  const choose = (choice: TransportChoice) =>
    ownPage().registry.sendRequest(id, { type: 'transport', choice })
  return (
    <>
      <select
        aria-label={inspectorStrings.windows.transportOf(name)}
        value={link?.choice ?? 'automatic'}
        onChange={({ target }) => choose(target.value as TransportChoice)}
        className="h-8 max-w-full rounded-lg border border-edge bg-transparent px-1.5"
      >
        {transportChoices.map((choice) => (
          <option key={choice} value={choice}>
            {transportNameOf(choice)}
          </option>
        ))}
      </select>
      {(!link || link.choice === 'automatic') && <span className="text-muted">{transportText(entry)}</span>}
    </>
  )
}
