'use client'

import { Download, Link2, Save } from 'lucide-react'
import { useState } from 'react'
import { nameOf, versionOf } from '@/components/connection/words'
import { ScrollArea } from '../scroll-area'
import { CopyField } from '@/components/share/copy-field'
import { Button } from '@/components/ui/button'
import type { FarWindow, LabResult, Lane, Spread } from './result'
import { linkTo } from './sharing'

interface ResultViewProps {
  readonly result: LabResult
  readonly save?: (result: LabResult) => void
  readonly isSaved?: boolean
}

/** One measurement: as bars beside each other, and in figures. */
export function ResultView({ result, save, isSaved = false }: ResultViewProps) {
  const { at, browser, scheme, edits, intervalMs, lanes } = result
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        {new Date(at).toLocaleString()}, {browser}, over {scheme === 'https:' ? 'https' : 'http'}: {edits}{' '}
        edits by each transport, one every {intervalMs} ms. Times count from when the key was due.
      </p>
      <Bars lanes={lanes} />
      <LaneTable lanes={lanes} />
      <Actions result={result} isSaved={isSaved} {...(save && { save })} />
    </div>
  )
}

/** Of all windows of a lane, the middle of what each saw; of the server's answer where there was no window. */
const measured = ({ windows, saved }: Lane): Spread => {
  const seen = windows
    .map(({ painted, applied }) => (painted.count > 0 ? painted : applied))
    .filter(({ count }) => count > 0)
  return seen.length > 0 ? slowest(seen) : saved
}

const slowest = (spreads: readonly Spread[]): Spread =>
  spreads.reduce((worst, one) => (one.p50 > worst.p50 ? one : worst))

const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))

/** The table beside it says the same. */
function Bars({ lanes }: { lanes: readonly Lane[] }) {
  const rows = lanes
    .filter(({ problem }) => problem === undefined)
    .map((lane) => ({ lane, spread: measured(lane) }))
  const most = Math.max(1, ...rows.map(({ spread }) => spread.p95))
  const part = (value: number) => `${((value / most) * 100).toFixed(1)}%`
  return (
    <figure aria-hidden className="flex flex-col gap-1.5">
      <figcaption className="text-sm text-muted">
        Key to the slowest window’s screen: the bar is p50, the mark p95, in ms. Where no window was open: key
        to disk.
      </figcaption>
      {rows.map(({ lane: { transport }, spread }) => (
        <div
          key={transport}
          className="grid grid-cols-[9rem_1fr] items-center gap-2 text-sm max-sm:grid-cols-1 max-sm:gap-0.5"
        >
          <span className="truncate">{nameOf(transport)}</span>
          <div className="flex items-center gap-2">
            <span className="relative h-4 flex-1 overflow-hidden rounded bg-sunk">
              <span
                className="absolute inset-y-0 left-0 rounded bg-accent"
                style={{ width: part(spread.p50) }}
              />
              <span
                className="absolute inset-y-0 w-0.5 bg-ink"
                style={{ left: `calc(${part(spread.p95)} - 2px)` }}
              />
            </span>
            <span className="w-24 text-right text-muted tabular-nums">
              {ms(spread.p50)} / {ms(spread.p95)}
            </span>
          </div>
        </div>
      ))}
    </figure>
  )
}

const cellClass =
  'w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal [&_thead_th]:text-muted [&_thead_th:not(:first-child)]:pl-4 [&_thead_th:not(:first-child)]:text-right'

function LaneTable({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <ScrollArea name="Result in figures, to scroll">
      <table aria-label="Result in figures" className={cellClass}>
        <thead>
          <tr>
            <th scope="col">Transport, and what</th>
            {['Edits', 'p50, ms', 'p95, ms', 'p99, ms', 'Most, ms'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {lanes.map((lane) => (
          <LaneRows key={lane.transport} lane={lane} />
        ))}
      </table>
    </ScrollArea>
  )
}

function LaneRows({ lane: { transport, protocol, acknowledged, saved, windows, problem } }: { lane: Lane }) {
  const way = protocol ? `, ${versionOf({ transport, protocol, up: 'frames' })}` : ''
  return (
    <tbody className="border-t border-line">
      <tr>
        <th scope="rowgroup" colSpan={6} className="font-semibold!">
          {nameOf(transport)}
          {way}
        </th>
      </tr>
      {problem !== undefined && (
        <tr>
          <th scope="row" colSpan={6} className="text-danger">
            Not measured: {problem}
          </th>
        </tr>
      )}
      {problem === undefined && (
        <>
          <Row name="Key to server" spread={acknowledged} />
          <Row name="Key to disk" spread={saved} />
          {windows.map((window, index) => (
            <WindowRows key={index} window={window} index={index} />
          ))}
        </>
      )}
    </tbody>
  )
}

function WindowRows({
  window: { device, sameBrowser, boundMs, applied, painted, hidden },
  index,
}: {
  window: FarWindow
  index: number
}) {
  const where = sameBrowser ? '' : `, ${device || 'elsewhere'}`
  const bound = boundMs === undefined || boundMs === 0 ? '' : `, ± ${ms(boundMs)} ms`
  const name = `window ${index + 1}${where}${bound}`
  return (
    <>
      <Row name={`Key to text, ${name}`} spread={applied} />
      <Row name={`Key to screen, ${name}${hidden > 0 ? `, ${hidden} while hidden` : ''}`} spread={painted} />
    </>
  )
}

function Row({ name, spread: { count, p50, p95, p99, max } }: { name: string; spread: Spread }) {
  return (
    <tr>
      <th scope="row" className="pl-3 text-muted">
        {name}
      </th>
      <td>{count}</td>
      {[p50, p95, p99, max].map((value, index) => (
        <td key={index}>{count === 0 ? '–' : ms(value)}</td>
      ))}
    </tr>
  )
}

function Actions({
  result,
  save,
  isSaved,
}: {
  result: LabResult
  save?: (result: LabResult) => void
  isSaved: boolean
}) {
  const [link, setLink] = useState<string | null>(null)
  const share = () => setLink(linkTo(result, `${location.origin}/lab`))
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {save && (
          <Button onClick={() => save(result)} disabled={isSaved}>
            <Save size={16} aria-hidden /> {isSaved ? 'Saved on this device' : 'Save on this device'}
          </Button>
        )}
        <Button onClick={() => download(result)}>
          <Download size={16} aria-hidden /> Export JSON
        </Button>
        <Button onClick={share}>
          <Link2 size={16} aria-hidden /> Share by a link
        </Button>
      </div>
      {link && (
        <div className="flex max-w-xl flex-col gap-1">
          <p className="text-sm text-muted">The link carries the result itself: no server keeps it.</p>
          <CopyField text={link} label="Link to this result" />
        </div>
      )}
    </div>
  )
}

function download(result: LabResult): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(result, null, 2)], { type: 'application/json' }))
  const name = `diptych-keystrokes-${new Date(result.at).toISOString().slice(0, 19).replaceAll(':', '-')}.json`
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  URL.revokeObjectURL(url)
}
