import { transportNameOf, uploadText, protocolText } from '@/components/connection/connection-text.ts'
import { SimulatedBadge } from '@/components/latency/simulated-badge.tsx'
import { labStrings } from '@/lib/strings/lab.ts'
import { ComparisonBars } from '../results/comparison-bars.tsx'
import { ResultActions } from '../results/result-actions.tsx'
import { resultEnvironmentText } from '../results/result-environment.ts'
import type { ResultsStore } from '../results/create-use-results.ts'
import { ScrollArea } from '../scroll-area.tsx'
import {
  type LabWindowFigures,
  keystrokesResultKind,
  type KeystrokesResult,
  type TransportLane,
  type LatencySpread,
} from './keystrokes-result.ts'

interface KeystrokesResultViewProps {
  readonly result: KeystrokesResult
  readonly saved?: ResultsStore<KeystrokesResult>
}

/** Shows one measurement, as bars and in figures. */
export function KeystrokesResultView({ result, saved }: KeystrokesResultViewProps) {
  const { edits, intervalMs, lanes } = result
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        {labStrings.result.summary(resultEnvironmentText(result), edits, intervalMs)}
      </p>
      <LaneBars lanes={lanes} />
      <LaneTable lanes={lanes} />
      <ResultActions kind={keystrokesResultKind} result={result} saved={saved} />
    </div>
  )
}

/** The figures of the slowest window of a lane, by its median; the server's answer if no window reported any. */
const shownSpread = ({ windows, saved }: TransportLane): LatencySpread => {
  const windowSpreads = windows
    .map(({ painted, applied }) => (painted.count > 0 ? painted : applied))
    .filter(({ count }) => count > 0)
  return windowSpreads.length > 0 ? slowestSpread(windowSpreads) : saved
}

const slowestSpread = (spreads: readonly LatencySpread[]): LatencySpread =>
  spreads.reduce((worst, spread) => (spread.p50 > worst.p50 ? spread : worst))

const millisecondsText = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0))

function LaneBars({ lanes }: { lanes: readonly TransportLane[] }) {
  const bars = lanes
    .filter(({ problem }) => problem === undefined)
    .map((lane) => {
      const { p50, p95 } = shownSpread(lane)
      const text = `${millisecondsText(p50)} / ${millisecondsText(p95)}`
      const transport = transportNameOf(lane.transport)
      const name = lane.simulated ? labStrings.simulated(transport) : transport
      return { id: lane.transport, name, value: p50, mark: p95, text }
    })
  return (
    <ComparisonBars
      bars={bars}
      isWide={lanes.some(({ simulated }) => simulated)}
      caption={labStrings.result.bars}
    />
  )
}

const tableClass =
  'w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal [&_thead_th]:text-muted [&_thead_th:not(:first-child)]:pl-4 [&_thead_th:not(:first-child)]:text-right'

function LaneTable({ lanes }: { lanes: readonly TransportLane[] }) {
  return (
    <ScrollArea name={labStrings.toScroll(labStrings.result.table)}>
      <table aria-label={labStrings.result.table} className={tableClass}>
        <thead>
          <tr>
            <th scope="col">{labStrings.result.rowHeading}</th>
            {labStrings.result.columns.map((name) => (
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

/** For example "Server-sent events, HTTP/2, requests in batches". */
function laneText({ transport, protocol, up }: TransportLane): string {
  const protocolName = protocol && protocolText({ transport, protocol, up: up ?? 'frames' })
  const upload = up && up !== 'frames' ? uploadText({ transport, protocol, up }).toLowerCase() : ''
  return [transportNameOf(transport), protocolName, upload].filter(Boolean).join(', ')
}

function LaneRows({ lane }: { lane: TransportLane }) {
  const { acknowledged, saved, windows, problem, simulated } = lane
  return (
    <tbody className="border-t border-line">
      <tr>
        <th scope="rowgroup" colSpan={6} className="font-semibold!">
          {laneText(lane)} {simulated && <SimulatedBadge />}
        </th>
      </tr>
      {problem !== undefined && (
        <tr>
          <th scope="row" colSpan={6} className="text-danger">
            {labStrings.result.notMeasured(problem)}
          </th>
        </tr>
      )}
      {problem === undefined && (
        <>
          <SpreadRow name={labStrings.result.toServer} spread={acknowledged} />
          <SpreadRow name={labStrings.result.toDisk} spread={saved} />
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
  window: LabWindowFigures
  index: number
}) {
  const deviceText = sameBrowser ? '' : device || labStrings.result.elsewhere
  const clockErrorText =
    boundMs === undefined || boundMs === 0 ? '' : labStrings.result.bound(millisecondsText(boundMs))
  const name = labStrings.result.window(index + 1, deviceText, clockErrorText)
  return (
    <>
      <SpreadRow name={labStrings.result.toText(name)} spread={applied} />
      <SpreadRow
        name={hidden > 0 ? labStrings.result.toScreenHidden(name, hidden) : labStrings.result.toScreen(name)}
        spread={painted}
      />
    </>
  )
}

function SpreadRow({ name, spread: { count, p50, p95, p99, max } }: { name: string; spread: LatencySpread }) {
  return (
    <tr>
      <th scope="row" className="pl-3 text-muted">
        {name}
      </th>
      <td>{count}</td>
      {[p50, p95, p99, max].map((value, index) => (
        <td key={index}>{count === 0 ? '–' : millisecondsText(value)}</td>
      ))}
    </tr>
  )
}
