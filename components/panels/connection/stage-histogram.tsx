import { useMemo, useState } from 'react'
import type { RemoteStage, OwnStage, WindowFigures } from '@/lib/latency/latency-state.ts'
import { splitByLink } from '@/lib/latency/edits-by-link.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { Chart } from '@/components/charts/chart.tsx'
import { linkText, stageNames } from '@/components/latency/latency-text.ts'
import { bucketsOf, valuesAt } from './latency-buckets.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import type { WindowNamer, MeasuredWindow } from './measured-windows.ts'

const ownStages: readonly OwnStage[] = ['ownPaint', 'sent', 'acknowledged', 'saved']
const remoteStages: readonly RemoteStage[] = ['received', 'painted']

/** A stage and its window, as one string for a list to choose from. */
type StageKey = `${OwnStage | RemoteStage}@${string}`

function choicesOf(
  windows: readonly WindowFigures[],
  nameOf: WindowNamer,
): readonly (readonly [StageKey, string])[] {
  return [
    ...ownStages.map((stage): [StageKey, string] => [`${stage}@`, stageNames[stage]]),
    ...windows.flatMap((window) =>
      remoteStages.map((stage): [StageKey, string] => [
        `${stage}@${window.id}`,
        inspectorStrings.histogram.stageIn(stageNames[stage], nameOf(window)),
      ]),
    ),
  ]
}

/** As many as fit on a phone. */
const MAX_MARKS = 6

function marksOf(count: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / MAX_MARKS))
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step)
}

/** The distribution of one window's edits at one stage. */
export function StageHistogram({
  author: { summary },
  nameOf,
}: {
  author: MeasuredWindow
  nameOf: WindowNamer
}) {
  const [key, setKey] = useState<StageKey>('saved@')
  const { link } = summary
  const choices = choicesOf(summary.windows, nameOf)
  const [chosen] = choices.find(([id]) => id === key) ?? choices[0]!
  const buckets = useMemo(() => {
    const [stage, window] = chosen.split('@') as [OwnStage | RemoteStage, string]
    return bucketsOf(valuesAt(splitByLink(summary.timelines, summary.link).inUse, { stage, window }))
  }, [summary.timelines, summary.link, chosen])
  const lines = useMemo(
    () => [
      { name: inspectorStrings.histogram.edits, points: buckets.map(({ count }, x) => ({ x, y: count })) },
    ],
    [buckets],
  )
  return (
    <Chart
      title={inspectorStrings.histogram.title}
      sentence={
        link ? inspectorStrings.histogram.sentenceBy(linkText(link)) : inspectorStrings.histogram.sentence
      }
      empty={inspectorStrings.histogram.empty}
      kind="bars"
      lines={lines}
      table={{
        head: [inspectorStrings.histogram.head, inspectorStrings.histogram.edits],
        rows: buckets.map((bucket) => [bucket.text, String(bucket.count)]),
      }}
      xMarks={marksOf(buckets.length)}
      xText={(x) => buckets[x]?.text ?? ''}
      yText={(y) => (Number.isInteger(y) ? String(y) : '')}
    >
      <SelectField
        label={inspectorStrings.histogram.stage}
        value={chosen}
        choices={choices}
        onChange={setKey}
      />
    </Chart>
  )
}
