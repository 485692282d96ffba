import type { FarStation, OwnStation, Percentiles, WindowFigures } from '@/lib/latency/state.ts'
import { strings } from '@/lib/strings/inspector.ts'
import { judged, VerdictMark } from '@/components/latency/verdict-mark'
import {
  boundText,
  earlierText,
  linkText,
  partText,
  parts,
  pathsText,
  stationNames,
} from '@/components/latency/words'
import { scrollable } from '@/components/ui/scrollable'
import { Range } from './range'
import type { NameOf, Seen } from './seen'

const own = ['ownPaint', 'sent', 'acknowledged', 'saved'] as const
const far = ['received', 'applied', 'painted'] as const

/** From the key to every screen: the edits of one window by the link it uses, at each of their stations. */
interface WaysProps {
  readonly author: Seen
  readonly nameOf: NameOf
}

export function Ways({ author: { summary }, nameOf }: WaysProps) {
  const { link, earlier } = summary
  return (
    <>
      <p className="text-sm text-muted">
        {link ? strings.stages.by(linkText(link)) : strings.stages.notConnected}
        {earlier.length > 0 && ` ${strings.stages.notCounted(earlierText(earlier))}`}
      </p>
      <Table summary={summary} nameOf={nameOf} />
    </>
  )
}

function Table({ summary, nameOf }: Pick<Seen, 'summary'> & Pick<WaysProps, 'nameOf'>) {
  const { own: figures, windows, roundTrip } = summary
  const { base } = roundTrip
  const all = [
    ...Object.values(figures),
    ...windows.flatMap((window) => far.map((station) => window[station])),
  ]
  const scale = Math.max(1, ...all.map(({ p99 }) => p99))
  return (
    <div className="scrolls-x" {...scrollable(strings.stages.figures)}>
      <table className="w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal">
        <caption className="sr-only">{strings.stages.caption}</caption>
        <thead className="text-muted">
          <tr>
            <th scope="col">{strings.stages.stage}</th>
            <td aria-hidden className="w-2/5 text-left! text-xs @max-xl:hidden">
              {strings.stages.legend}
            </td>
            {parts.map((part) => (
              <th key={part} scope="col" className="pl-4 text-right">
                {part}
              </th>
            ))}
            <th scope="col" className="pl-4 text-right">
              {strings.stages.edits}
            </th>
            <th scope="col" className="pl-4">
              {strings.stages.verdict}
            </th>
          </tr>
        </thead>
        <tbody>
          {own.map((station) => (
            <Row key={station} station={station} figures={figures[station]} scale={scale} base={base} />
          ))}
        </tbody>
        {windows.map((window) => (
          <OtherWindow key={window.id} window={window} name={nameOf(window)} scale={scale} base={base} />
        ))}
      </table>
    </div>
  )
}

interface Scale {
  /** What a full line means, in ms. */
  readonly scale: number
  readonly base: number | undefined
}

interface RowProps extends Scale {
  readonly station: OwnStation | FarStation
  readonly figures: Percentiles
}

const Row = ({ station, figures, scale, base }: RowProps) => (
  <tr className="border-t border-line">
    <th scope="row">{stationNames[station]}</th>
    <td aria-hidden className="@max-xl:hidden">
      <Range figures={figures} scale={scale} />
    </td>
    {parts.map((part) => (
      <td key={part}>{partText(figures, part)}</td>
    ))}
    <td className="text-muted">{figures.count}</td>
    <td className="text-left!">
      <VerdictMark what={station} ms={judged(figures)} base={base} />
    </td>
  </tr>
)

interface OtherWindowProps extends Scale {
  readonly window: WindowFigures
  readonly name: string
}

function OtherWindow({ window, name, scale, base }: OtherWindowProps) {
  const { hidden, paths, present } = window
  const notes = [
    pathsText(paths),
    boundText(window),
    hidden > 0 && strings.stages.notPainted(hidden),
    !present && strings.stages.gone,
  ].filter(Boolean)
  return (
    <tbody>
      <tr className="border-t border-line">
        <th scope="rowgroup" colSpan={8} className="pt-3!">
          <strong className="font-medium">{name}</strong>
          {notes.length > 0 && <span className="text-muted"> {notes.join(', ')}</span>}
        </th>
      </tr>
      {far.map((station) => (
        <Row key={station} station={station} figures={window[station]} scale={scale} base={base} />
      ))}
    </tbody>
  )
}
