import type { RemoteStage, OwnStage, Percentiles, WindowFigures } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { judgedDelay, VerdictMark } from '@/components/latency/verdict-mark.tsx'
import {
  boundText,
  earlierText,
  linkText,
  percentileText,
  percentileKeys,
  pathsText,
  stageNames,
} from '@/components/latency/latency-text.ts'
import { scrollableProps } from '@/components/ui/scrollable-props.ts'
import { PercentileRange } from './percentile-range.tsx'
import type { WindowNamer, MeasuredWindow } from './measured-windows.ts'

const ownStages = ['ownPaint', 'sent', 'acknowledged', 'saved'] as const
const remoteStages = ['received', 'applied', 'painted'] as const

/** The delays from the key to every screen: the edits of one window over the link in use, at each stage. */
interface StageTableProps {
  readonly author: MeasuredWindow
  readonly nameOf: WindowNamer
}

export function StageTable({ author: { summary }, nameOf }: StageTableProps) {
  const { link, earlier } = summary
  return (
    <>
      <p className="text-sm text-muted">
        {link ? inspectorStrings.stages.by(linkText(link)) : inspectorStrings.stages.notConnected}
        {earlier.length > 0 && ` ${inspectorStrings.stages.notCounted(earlierText(earlier))}`}
      </p>
      <Table summary={summary} nameOf={nameOf} />
    </>
  )
}

function Table({ summary, nameOf }: Pick<MeasuredWindow, 'summary'> & Pick<StageTableProps, 'nameOf'>) {
  const { own: figures, windows, roundTrip } = summary
  const { base } = roundTrip
  const all = [
    ...Object.values(figures),
    ...windows.flatMap((window) => remoteStages.map((stage) => window[stage])),
  ]
  const scale = Math.max(1, ...all.map(({ p99 }) => p99))
  return (
    <div className="scrolls-x" {...scrollableProps(inspectorStrings.stages.figures)}>
      <table className="w-full text-left text-sm tabular-nums [&_td]:py-1 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1 [&_th]:font-normal">
        <caption className="sr-only">{inspectorStrings.stages.caption}</caption>
        <thead className="text-muted">
          <tr>
            <th scope="col">{inspectorStrings.stages.stage}</th>
            <td aria-hidden className="w-2/5 text-left! text-xs @max-xl:hidden">
              {inspectorStrings.stages.legend}
            </td>
            {percentileKeys.map((percentile) => (
              <th key={percentile} scope="col" className="pl-4 text-right">
                {percentile}
              </th>
            ))}
            <th scope="col" className="pl-4 text-right">
              {inspectorStrings.stages.edits}
            </th>
            <th scope="col" className="pl-4">
              {inspectorStrings.stages.verdict}
            </th>
          </tr>
        </thead>
        <tbody>
          {ownStages.map((stage) => (
            <Row key={stage} stage={stage} figures={figures[stage]} scale={scale} base={base} />
          ))}
        </tbody>
        {windows.map((window) => (
          <RemoteWindowRows key={window.id} window={window} name={nameOf(window)} scale={scale} base={base} />
        ))}
      </table>
    </div>
  )
}

interface Scale {
  /** The ms that a full line stands for. */
  readonly scale: number
  readonly base: number | undefined
}

interface RowProps extends Scale {
  readonly stage: OwnStage | RemoteStage
  readonly figures: Percentiles
}

const Row = ({ stage, figures, scale, base }: RowProps) => (
  <tr className="border-t border-line">
    <th scope="row">{stageNames[stage]}</th>
    <td aria-hidden className="@max-xl:hidden">
      <PercentileRange figures={figures} scale={scale} />
    </td>
    {percentileKeys.map((percentile) => (
      <td key={percentile}>{percentileText(figures, percentile)}</td>
    ))}
    <td className="text-muted">{figures.count}</td>
    <td className="text-left!">
      <VerdictMark figure={stage} ms={judgedDelay(figures)} base={base} />
    </td>
  </tr>
)

interface RemoteWindowRowsProps extends Scale {
  readonly window: WindowFigures
  readonly name: string
}

function RemoteWindowRows({ window, name, scale, base }: RemoteWindowRowsProps) {
  const { hidden, paths, present } = window
  const notes = [
    pathsText(paths),
    boundText(window),
    hidden > 0 && inspectorStrings.stages.notPainted(hidden),
    !present && inspectorStrings.stages.gone,
  ].filter(Boolean)
  return (
    <tbody>
      <tr className="border-t border-line">
        <th scope="rowgroup" colSpan={8} className="pt-3!">
          <strong className="font-medium">{name}</strong>
          {notes.length > 0 && <span className="text-muted"> {notes.join(', ')}</span>}
        </th>
      </tr>
      {remoteStages.map((stage) => (
        <Row key={stage} stage={stage} figures={window[stage]} scale={scale} base={base} />
      ))}
    </tbody>
  )
}
