import { nameOf, upwardWay, versionOf } from '@/components/connection/words'
import { SimulatedBadge } from '@/components/latency/simulated-badge'
import { strings } from '@/lib/strings/lab.ts'
import { Bars } from '../results/bars'
import { ResultActions } from '../results/result-actions'
import { surroundingsText } from '../results/surroundings'
import type { Results } from '../results/use-results'
import { ScrollArea } from '../scroll-area'
import { type FarWindow, keystrokes, type LabResult, type Lane, type Spread } from './result'

interface ResultViewProps {
  readonly result: LabResult
  readonly saved?: Results<LabResult>
}

/** One measurement: as bars beside each other, and in figures. */
export function ResultView({ result, saved }: ResultViewProps) {
  const { edits, intervalMs, lanes } = result
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-muted">
        {strings.result.summary(surroundingsText(result), edits, intervalMs)}
      </p>
      <LaneBars lanes={lanes} />
      <LaneTable lanes={lanes} />
      <ResultActions kind={keystrokes} result={result} saved={saved} />
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

function LaneBars({ lanes }: { lanes: readonly Lane[] }) {
  const bars = lanes
    .filter(({ problem }) => problem === undefined)
    .map((lane) => {
      const { p50, p95 } = measured(lane)
      const text = `${ms(p50)} / ${ms(p95)}`
      const transport = nameOf(lane.transport)
      const name = lane.simulated ? strings.simulated(transport) : transport
      return { id: lane.transport, name, value: p50, mark: p95, text }
    })
  return <Bars bars={bars} isWide={lanes.some(({ simulated }) => simulated)} caption={strings.result.bars} />
}

const cellClass =
  'w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal [&_thead_th]:text-muted [&_thead_th:not(:first-child)]:pl-4 [&_thead_th:not(:first-child)]:text-right'

function LaneTable({ lanes }: { lanes: readonly Lane[] }) {
  return (
    <ScrollArea name={strings.toScroll(strings.result.table)}>
      <table aria-label={strings.result.table} className={cellClass}>
        <thead>
          <tr>
            <th scope="col">{strings.result.rowHeading}</th>
            {strings.result.columns.map((name) => (
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

/** "Server-sent events, HTTP/2, requests in batches". */
function carrierText({ transport, protocol, up }: Lane): string {
  const version = protocol && versionOf({ transport, protocol, up: up ?? 'frames' })
  const way = up && up !== 'frames' ? upwardWay({ transport, protocol, up }).toLowerCase() : ''
  return [nameOf(transport), version, way].filter(Boolean).join(', ')
}

function LaneRows({ lane }: { lane: Lane }) {
  const { acknowledged, saved, windows, problem, simulated } = lane
  return (
    <tbody className="border-t border-line">
      <tr>
        <th scope="rowgroup" colSpan={6} className="font-semibold!">
          {carrierText(lane)} {simulated && <SimulatedBadge />}
        </th>
      </tr>
      {problem !== undefined && (
        <tr>
          <th scope="row" colSpan={6} className="text-danger">
            {strings.result.notMeasured(problem)}
          </th>
        </tr>
      )}
      {problem === undefined && (
        <>
          <Row name={strings.result.toServer} spread={acknowledged} />
          <Row name={strings.result.toDisk} spread={saved} />
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
  const where = sameBrowser ? '' : device || strings.result.elsewhere
  const bound = boundMs === undefined || boundMs === 0 ? '' : strings.result.bound(ms(boundMs))
  const name = strings.result.window(index + 1, where, bound)
  return (
    <>
      <Row name={strings.result.toText(name)} spread={applied} />
      <Row
        name={hidden > 0 ? strings.result.toScreenHidden(name, hidden) : strings.result.toScreen(name)}
        spread={painted}
      />
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
