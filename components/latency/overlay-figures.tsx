import { memo } from 'react'
import type {
  RemoteStage,
  LatencyState,
  OwnStage,
  Percentiles,
  TransportSwitch,
  WindowFigures,
} from '@/lib/latency/latency-state.ts'
import { transportNameOf } from '@/components/connection/connection-text.ts'
import type { TransportId } from '@/lib/transports/transport.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import { Hint } from '@/components/ui/hint.tsx'
import { scrollableProps } from '@/components/ui/scrollable-props.ts'
import { judgedDelay, VerdictMark } from './verdict-mark.tsx'
import { useWindowNumber } from './window-number.ts'
import {
  boundText,
  bytesText,
  earlierText,
  isTransportChange,
  percentileText,
  pathsText,
  queueText,
  windowLabel,
} from './latency-text.ts'

/** What people ask for most, of p50, p95, p99 and max. */
const shownPercentiles = ['p50', 'p95', 'max'] as const

const own = ['ownPaint', 'acknowledged', 'saved'] as const

const remoteStages = ['received', 'painted'] as const

/** How many switches and reconnects are listed. */
const SHOWN_CHANGES = 3

type OverlayFiguresProps = Omit<
  LatencyState,
  'link' | 'simulated' | 'roundTrip' | 'traffic' | 'receivedSummaries'
> & {
  /** The shortest round trip. */
  readonly base: number | undefined
  /** The number of transport changes. The list also has reconnects, and only the latest entries. */
  readonly switched: number
}

/** Redraws when one of its props changed, and not for another round trip. */
export const OverlayFigures = memo(function OverlayFigures({
  own: figures,
  windows,
  earlier,
  base,
  ...rest
}: OverlayFiguresProps) {
  const isEmpty = figures.ownPaint.count === 0
  const hasChanged = rest.switches.some(isTransportChange)
  return (
    // With many windows it is long and scrolls.
    <div
      className="overflow-y-auto border-t border-line px-3 pt-1.5 pb-2.5"
      {...scrollableProps(latencyFiguresStrings.figures.name)}
    >
      {isEmpty ? (
        <p className="py-1 text-muted">{latencyFiguresStrings.figures.empty}</p>
      ) : (
        <Table own={figures} windows={windows} base={base} />
      )}
      {earlier.length > 0 && (
        <p className="mt-1 text-muted">{latencyFiguresStrings.figures.notCounted(earlierText(earlier))}</p>
      )}
      {(!isEmpty || hasChanged) && <ConnectionFigures {...rest} />}
    </div>
  )
})

/** The figures of edits that went over the link in use. */
function Table({ own: figures, windows, base }: Pick<OverlayFiguresProps, 'own' | 'windows' | 'base'>) {
  const { ownPaint } = figures
  return (
    <>
      <table className="w-full text-right tabular-nums [&_td]:w-11 [&_td]:py-px [&_td]:pl-2 [&_th]:py-px [&_th]:font-normal">
        <caption className="sr-only">{latencyFiguresStrings.table.caption}</caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className="text-left whitespace-nowrap">
              {latencyFiguresStrings.table.lastEdits(ownPaint.count)}
            </th>
            {shownPercentiles.map((percentile) => (
              <th key={percentile} scope="col">
                {latencyFiguresStrings.table.parts[percentile]}
              </th>
            ))}
            <th scope="col" className="pl-2 text-left">
              {latencyFiguresStrings.table.verdict}
            </th>
          </tr>
        </thead>
        <tbody>
          {own.map((stage) => (
            <Row key={stage} stage={stage} figures={figures[stage]} base={base} />
          ))}
        </tbody>
        {windows.map((window) => (
          <RemoteWindowRows key={window.id} window={window} base={base} />
        ))}
      </table>
      {windows.length === 0 && <p className="mt-1 text-muted">{latencyFiguresStrings.table.nobody}</p>}
    </>
  )
}

interface RowProps {
  readonly stage: OwnStage | RemoteStage
  readonly figures: Percentiles
  readonly base: number | undefined
}

const Row = ({ stage, figures, base }: RowProps) => (
  <tr>
    <th scope="row" className="text-left">
      {latencyFiguresStrings.stages[stage]}
    </th>
    {shownPercentiles.map((percentile) => (
      <td key={percentile}>{percentileText(figures, percentile)}</td>
    ))}
    <td className="w-12! text-left text-muted">
      <VerdictMark figure={stage} ms={judgedDelay(figures)} base={base} />
    </td>
  </tr>
)

function RemoteWindowRows({ window, base }: { window: WindowFigures; base: number | undefined }) {
  const number = useWindowNumber(window.id)
  const notes = [pathsText(window.paths), boundText(window)].filter(Boolean).join(', ')
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={shownPercentiles.length + 2} className="pt-1.5! text-left">
          <span className="font-medium!">
            {windowLabel(window)}
            {number}
          </span>
          {notes && <span className="text-muted"> {notes}</span>}
          {!window.present && <span className="text-muted"> {latencyFiguresStrings.table.gone}</span>}
        </th>
      </tr>
      {remoteStages.map((stage) => (
        <Row key={stage} stage={stage} figures={window[stage]} base={base} />
      ))}
    </tbody>
  )
}

/** As sentences, because these figures are seldom compared. */
function ConnectionFigures({
  queue,
  perKey,
  reconnects,
  switches,
  switched,
}: Omit<OverlayFiguresProps, 'own' | 'windows' | 'earlier' | 'base'>) {
  const changes = switches.filter(isTransportChange).slice(-SHOWN_CHANGES).toReversed()
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 border-t border-line pt-1.5 tabular-nums [&_dd]:text-right [&_dt]:text-muted">
      <dt>{latencyFiguresStrings.queueAndTraffic.queue}</dt>
      <dd>{queueText(queue)}</dd>
      <Hint text={latencyFiguresStrings.queueAndTraffic.framesAlone}>
        <dt>{latencyFiguresStrings.queueAndTraffic.perKey}</dt>
      </Hint>
      <dd className="whitespace-nowrap">
        {perKey
          ? latencyFiguresStrings.queueAndTraffic.upAndDown(bytesText(perKey.up), bytesText(perKey.down))
          : '–'}
      </dd>
      <dt>{latencyFiguresStrings.queueAndTraffic.switches}</dt>
      <dd>
        {reconnects}, {switched}
      </dd>
      {changes.length > 0 && (
        <>
          <dt className="col-span-2">
            {changes.length === 1
              ? latencyFiguresStrings.queueAndTraffic.lastChange
              : latencyFiguresStrings.queueAndTraffic.lastChanges}
          </dt>
          {changes.map((change) => (
            <dd key={change.at} className="col-span-2 text-left!">
              {changeText(change)}
            </dd>
          ))}
        </>
      )}
    </dl>
  )
}

const changeText = ({ from, to, reason }: TransportSwitch): string =>
  (from === to
    ? latencyFiguresStrings.queueAndTraffic.reconnected
    : latencyFiguresStrings.queueAndTraffic.change)(transportNameOf(to as TransportId), reason)
