import { memo } from 'react'
import type { FarStation, LatencyState, OwnStation, Percentiles, WindowFigures } from '@/lib/latency/state.ts'
import { nameOf } from '@/components/connection/words'
import type { TransportId } from '@/lib/transports/transport.ts'
import { scrollable } from '@/components/ui/scrollable'
import { judged, VerdictMark } from './verdict-mark'
import {
  boundText,
  bytesText,
  isChange,
  partText,
  pathsText,
  queueText,
  stationNames,
  watchedName,
} from './words'

/** What the person asks for most, of p50, p95, p99 and max. */
const shown = ['p50', 'p95', 'max'] as const

const own = ['ownPaint', 'acknowledged', 'saved'] as const

const far = ['received', 'painted'] as const

type OverlayFiguresProps = Omit<
  LatencyState,
  'link' | 'simulated' | 'roundTrip' | 'traffic' | 'elsewhere'
> & {
  /** The least round trip. */
  readonly base: number | undefined
  /** Changes of the transport; the list has the reconnects, too, and only the latest. */
  readonly switched: number
}

/** Drawn again where one of them changed, and not for another round trip. */
export const OverlayFigures = memo(function OverlayFigures({
  own: figures,
  windows,
  base,
  ...rest
}: OverlayFiguresProps) {
  const { ownPaint } = figures
  if (ownPaint.count === 0)
    return (
      <p className="border-t border-line px-3 py-2.5 text-muted">
        Type something: each edit is timed from its key to your screen, to the server’s disk, and to every
        other window.
      </p>
    )
  return (
    // Many windows make it long.
    <div className="overflow-y-auto border-t border-line px-3 pt-1.5 pb-2.5" {...scrollable('Figures')}>
      <table className="w-full text-right tabular-nums [&_td]:w-11 [&_td]:py-px [&_td]:pl-2 [&_th]:py-px [&_th]:font-normal">
        <caption className="sr-only">From the key, in milliseconds</caption>
        <thead className="text-muted">
          <tr>
            <th scope="col" className="text-left">
              Last {ownPaint.count === 1 ? 'edit' : `${ownPaint.count} edits`}, ms
            </th>
            {shown.map((part) => (
              <th key={part} scope="col">
                {part}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">p95 is</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {own.map((station) => (
            <Row key={station} station={station} figures={figures[station]} base={base} />
          ))}
        </tbody>
        {windows.map((window) => (
          <OtherWindow key={window.id} window={window} base={base} />
        ))}
      </table>
      {windows.length === 0 && <p className="mt-1 text-muted">Nobody else has this document open.</p>}
      <Rest {...rest} />
    </div>
  )
})

interface RowProps {
  readonly station: OwnStation | FarStation
  readonly figures: Percentiles
  readonly base: number | undefined
}

const Row = ({ station, figures, base }: RowProps) => (
  <tr>
    <th scope="row" className="text-left">
      {stationNames[station]}
    </th>
    {shown.map((part) => (
      <td key={part}>{partText(figures, part)}</td>
    ))}
    <td className="w-12! text-left text-muted">
      <VerdictMark what={station} ms={judged(figures)} base={base} />
    </td>
  </tr>
)

function OtherWindow({ window, base }: { window: WindowFigures; base: number | undefined }) {
  const notes = [pathsText(window.paths), boundText(window)].filter(Boolean).join(', ')
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={shown.length + 2} className="pt-1.5! text-left">
          <span className="font-medium!">{watchedName(window)}</span>
          {notes && <span className="text-muted"> {notes}</span>}
          {!window.present && <span className="text-muted"> (gone)</span>}
        </th>
      </tr>
      {far.map((station) => (
        <Row key={station} station={station} figures={window[station]} base={base} />
      ))}
    </tbody>
  )
}

/** In words, since these are seldom compared. */
function Rest({
  queue,
  perKey,
  reconnects,
  switches,
  switched,
}: Omit<OverlayFiguresProps, 'own' | 'windows' | 'base'>) {
  const last = switches.findLast(isChange)
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-3 border-t border-line pt-1.5 tabular-nums [&_dd]:text-right [&_dt]:text-muted">
      <dt>Waiting to go</dt>
      <dd>{queueText(queue)}</dd>
      <dt>A key costs</dt>
      <dd>{perKey ? `${bytesText(perKey.up)} up, ${bytesText(perKey.down)} down` : '–'}</dd>
      <dt>Reconnects, switches</dt>
      <dd>
        {reconnects}, {switched}
      </dd>
      {last && (
        <>
          <dt>Last change</dt>
          <dd>
            {nameOf(last.to as TransportId)}, {last.reason}
          </dd>
        </>
      )}
    </dl>
  )
}
