import { useMemo, useState } from 'react'
import type { FarStation, OwnStation, WindowFigures } from '@/lib/latency/state.ts'
import { apart } from '@/lib/latency/by-link.ts'
import { strings } from '@/lib/strings/inspector.ts'
import { Chart } from '@/components/charts/chart'
import { linkText, stationNames } from '@/components/latency/words'
import { bucketsOf, valuesAt } from './buckets.ts'
import { Choice } from './choice'
import type { NameOf, Seen } from './seen'

const own: readonly OwnStation[] = ['ownPaint', 'sent', 'acknowledged', 'saved']
const far: readonly FarStation[] = ['received', 'painted']

/** A station, and the window it is in: as one word, for a list to choose from. */
type Key = `${OwnStation | FarStation}@${string}`

function choicesOf(windows: readonly WindowFigures[], nameOf: NameOf): readonly (readonly [Key, string])[] {
  return [
    ...own.map((station): [Key, string] => [`${station}@`, stationNames[station]]),
    ...windows.flatMap((window) =>
      far.map((station): [Key, string] => [
        `${station}@${window.id}`,
        strings.histogram.stageIn(stationNames[station], nameOf(window)),
      ]),
    ),
  ]
}

/** As many as there is room for on a phone. */
const MOST_MARKS = 6

function marksOf(count: number): readonly number[] {
  const step = Math.max(1, Math.ceil(count / MOST_MARKS))
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step)
}

/** How one window's edits spread at one station. */
export function Histogram({ author: { summary }, nameOf }: { author: Seen; nameOf: NameOf }) {
  const [key, setKey] = useState<Key>('saved@')
  const { link } = summary
  const choices = choicesOf(summary.windows, nameOf)
  const [chosen] = choices.find(([id]) => id === key) ?? choices[0]!
  const buckets = useMemo(() => {
    const [station, window] = chosen.split('@') as [OwnStation | FarStation, string]
    return bucketsOf(valuesAt(apart(summary.timelines, summary.link).inUse, { station, window }))
  }, [summary.timelines, summary.link, chosen])
  const lines = useMemo(
    () => [{ name: strings.histogram.edits, points: buckets.map(({ count }, x) => ({ x, y: count })) }],
    [buckets],
  )
  return (
    <Chart
      title={strings.histogram.title}
      sentence={link ? strings.histogram.sentenceBy(linkText(link)) : strings.histogram.sentence}
      empty={strings.histogram.empty}
      kind="bars"
      lines={lines}
      figures={{
        head: [strings.histogram.head, strings.histogram.edits],
        rows: buckets.map((bucket) => [bucket.text, String(bucket.count)]),
      }}
      xMarks={marksOf(buckets.length)}
      xText={(x) => buckets[x]?.text ?? ''}
      yText={(y) => (Number.isInteger(y) ? String(y) : '')}
    >
      <Choice name={strings.histogram.stage} value={chosen} choices={choices} onChange={setKey} />
    </Chart>
  )
}
