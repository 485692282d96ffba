'use client'

import { useId, useState } from 'react'
import type { EditTimeline } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { linkText, msText, stageNames } from '@/components/latency/latency-text.ts'
import { clockTime } from '@/components/ui/clock-time.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import type { WindowNamer, MeasuredWindow } from './measured-windows.ts'
import { lastPaintOf } from './waterfall-lanes.ts'
import { EditWaterfall } from './edit-waterfall.tsx'

/** The most that anybody goes through by hand. */
const MAX_LISTED_EDITS = 40

const orders = [
  ['newest', inspectorStrings.edits.newest],
  ['slowest', inspectorStrings.edits.slowest],
] as const

type Order = (typeof orders)[number][0]

const delayOf = (edit: EditTimeline): number => lastPaintOf(edit) ?? edit.saved ?? 0

const orderEdits = (timelines: readonly EditTimeline[], order: Order): readonly EditTimeline[] =>
  (order === 'newest' ? timelines.toReversed() : timelines.toSorted((a, b) => delayOf(b) - delayOf(a))).slice(
    0,
    MAX_LISTED_EDITS,
  )

/** Shows single edits: a list to choose from, and the path of the chosen one. */
export function EditInspector({
  author: { name, summary },
  nameOf,
}: {
  author: MeasuredWindow
  nameOf: WindowNamer
}) {
  const id = useId()
  const [order, setOrder] = useState<Order>('newest')
  const [chosen, setChosen] = useState<number | null>(null)
  const listed = orderEdits(summary.timelines, order)
  const edit = summary.timelines.find((one) => one.edit === chosen) ?? listed[0]
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-2 @2xl:col-span-2">
      <div className="flex min-h-8 flex-wrap items-center gap-2">
        <h3 id={id} className="flex-1 text-sm font-semibold">
          {inspectorStrings.edits.title}
        </h3>
        {edit && (
          <SelectField
            label={inspectorStrings.edits.order}
            value={order}
            choices={orders}
            onChange={setOrder}
          />
        )}
      </div>
      {edit ? (
        <div className="grid gap-x-8 gap-y-4 @2xl:grid-cols-2">
          <EditList edits={listed} chosen={edit} onChoose={setChosen} />
          <EditWaterfall edit={edit} windows={summary.windows} author={name} nameOf={nameOf} />
        </div>
      ) : (
        <p className="text-sm text-muted">{inspectorStrings.edits.empty}</p>
      )}
    </section>
  )
}

interface EditListProps {
  readonly edits: readonly EditTimeline[]
  readonly chosen: EditTimeline
  readonly onChoose: (edit: number) => void
}

const spanText = (value: number | 'hidden' | undefined): string =>
  typeof value === 'number' ? msText(value) : '–'

/** '' before the edit has left. */
const linkOf = ({ link }: EditTimeline): string => (link ? linkText(link) : '')

function EditList({ edits, chosen, onChoose }: EditListProps) {
  const isMixed = new Set(edits.map(linkOf)).size > 1
  return (
    <div className="max-h-80 overflow-y-auto rounded-xl border border-line">
      <table className="w-full text-left text-sm tabular-nums [&_td]:pr-3 [&_td]:text-right [&_th]:font-normal [&_thead_th]:py-1.5 [&_thead_th]:text-muted">
        <caption className="sr-only">{inspectorStrings.edits.caption}</caption>
        <thead className="sticky top-0 bg-paper">
          <tr>
            <th scope="col" className="pl-3">
              {inspectorStrings.edits.edit}
            </th>
            {[stageNames.ownPaint, stageNames.saved, inspectorStrings.edits.lastScreen].map((head) => (
              <th key={head} scope="col" className="pr-3 text-right">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {edits.map((edit) => (
            <tr key={edit.edit} className={`border-t border-line ${edit === chosen ? 'bg-accent-soft' : ''}`}>
              <th scope="row">
                <button
                  type="button"
                  aria-pressed={edit === chosen}
                  onClick={() => onChoose(edit.edit)}
                  className="min-h-8 w-full pl-3 text-left hover:underline aria-pressed:font-medium"
                >
                  {edit.edit} <span className="text-muted">{clockTime(new Date(edit.key))}</span>
                  {isMixed && <span className="text-muted"> {linkOf(edit)}</span>}
                </button>
              </th>
              <td>{spanText(edit.ownPaint)}</td>
              <td>{edit.refused ? inspectorStrings.edit.refused : spanText(edit.saved)}</td>
              <td>{spanText(lastPaintOf(edit))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
