import { useState } from 'react'
import type { OwnStation } from '@/lib/latency/state.ts'
import { strings } from '@/lib/strings/inspector.ts'
import { Chart } from '@/components/charts/chart'
import { msMark, parts, partText, stationNames } from '@/components/latency/words'
import { Choice } from './choice'
import { lineName, type Seen } from './seen'

const stations = (['ownPaint', 'sent', 'acknowledged', 'saved'] as const).map(
  (station) => [station, stationNames[station]] as const,
)

/** Windows and transports side by side: where these differ is the tail. */
export function PercentileLines({ seen }: { seen: readonly Seen[] }) {
  const [station, setStation] = useState<OwnStation>('saved')
  const measured = seen.flatMap((one) => {
    const { link, own, earlier } = one.summary
    return [{ link, own }, ...earlier].map((by) => ({
      name: lineName(one, by.link),
      figures: by.own[station],
    }))
  })
  const lines = measured.map(({ name, figures }) => ({
    name,
    points: figures.count === 0 ? [] : parts.map((part, x) => ({ x, y: figures[part] })),
  }))
  return (
    <Chart
      title={strings.sideBySide.title}
      sentence={strings.sideBySide.sentence(stationNames[station])}
      empty={strings.sideBySide.empty}
      kind="lines"
      lines={lines}
      figures={{
        head: [strings.sideBySide.head, ...parts.map(strings.sideBySide.inMs), strings.sideBySide.edits],
        rows: measured.map(({ name, figures }) => [
          name,
          ...parts.map((part) => partText(figures, part)),
          String(figures.count),
        ]),
      }}
      xRange={[-0.2, parts.length - 0.8]}
      xMarks={parts.map((_, index) => index)}
      xText={(x) => parts[x] ?? ''}
      yText={msMark}
    >
      <Choice name={strings.sideBySide.stage} value={station} choices={stations} onChange={setStation} />
    </Chart>
  )
}
