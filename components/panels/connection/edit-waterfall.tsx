import type { EditTimeline, WindowFigures } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { boundText, linkText, msText, pathNames } from '@/components/latency/latency-text.ts'
import type { WindowNamer } from './measured-windows.ts'
import { lanesOf, spanOfLanes, type WaterfallLane, type WaterfallStep } from './waterfall-lanes.ts'

interface EditWaterfallProps {
  readonly edit: EditTimeline
  /** The windows that received the edit. */
  readonly windows: readonly WindowFigures[]
  /** The window that made the edit. */
  readonly author: string
  readonly nameOf: WindowNamer
}

/** One edit (L1): each step is a bar that starts where the previous one ended, with its time beside it. */
export function EditWaterfall({ edit, windows, author, nameOf }: EditWaterfallProps) {
  const lanes = lanesOf(edit)
  const span = spanOfLanes(lanes)
  return (
    <table className="w-full text-left text-sm tabular-nums [&_th]:font-normal">
      <caption className="sr-only">{inspectorStrings.edit.caption(edit.edit)}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{inspectorStrings.edit.step}</th>
          <td aria-hidden />
          <th scope="col">{inspectorStrings.edit.fromKey}</th>
        </tr>
      </thead>
      {lanes.map((lane) => (
        <tbody key={lane.window}>
          <tr>
            <th scope="rowgroup" colSpan={3} className="pt-2 pb-0.5">
              <LaneName lane={lane} link={edit.link} windows={windows} author={author} nameOf={nameOf} />
            </th>
          </tr>
          {lane.steps.map((step) => (
            <Row key={step.name} step={step} span={span} />
          ))}
        </tbody>
      ))}
    </table>
  )
}

interface LaneNameProps extends Omit<EditWaterfallProps, 'edit'> {
  readonly lane: WaterfallLane
  readonly link: EditTimeline['link']
}

function LaneName({ lane: { arrival }, link, windows, author, nameOf }: LaneNameProps) {
  if (!arrival)
    return (
      <>
        <strong className="font-medium">{author}</strong>
        {link && <span className="text-muted"> {inspectorStrings.edit.by(linkText(link))}</span>}
      </>
    )
  const window = windows.find(({ id }) => id === arrival.window)
  const notes = [inspectorStrings.edit.first(pathNames[arrival.path]), window && boundText(window)].filter(
    Boolean,
  )
  return (
    <>
      <strong className="font-medium">{window ? nameOf(window) : inspectorStrings.edit.goneWindow}</strong>
      <span className="text-muted"> {notes.join(', ')}</span>
    </>
  )
}

function Row({ step: { name, start, end, note }, span }: { step: WaterfallStep; span: number }) {
  const percent = (value: number) => `${(value / span) * 100}%`
  return (
    <tr>
      <th scope="row" className="w-28 py-0.5 pr-3 text-muted">
        {name}
      </th>
      <td aria-hidden className="border-x border-line">
        {end !== undefined && (
          <span
            className="block h-2 min-w-0.5 rounded-xs bg-accent"
            style={{ marginInlineStart: percent(start), width: percent(Math.max(0, end - start)) }}
          />
        )}
      </td>
      <td className="w-20 py-0.5 pl-3 text-right">
        {end === undefined ? (
          <span className="text-muted">{note ?? inspectorStrings.edit.notSeen}</span>
        ) : (
          msText(end)
        )}
      </td>
    </tr>
  )
}
