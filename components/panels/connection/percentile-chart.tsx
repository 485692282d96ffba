import { useState } from 'react'
import type { OwnStage } from '@/lib/latency/latency-state.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import { Chart } from '@/components/charts/chart.tsx'
import { msMark, percentileKeys, percentileText, stageNames } from '@/components/latency/latency-text.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import { lineName, type MeasuredWindow } from './measured-windows.ts'

const stageChoices = (['ownPaint', 'sent', 'acknowledged', 'saved'] as const).map(
  (stage) => [stage, stageNames[stage]] as const,
)

/** Compares windows and transports; they differ in the tail. */
export function PercentileChart({ measuredWindows }: { measuredWindows: readonly MeasuredWindow[] }) {
  const [stage, setStage] = useState<OwnStage>('saved')
  const measuredLines = measuredWindows.flatMap((one) => {
    const { link, own, earlier } = one.summary
    return [{ link, own }, ...earlier].map((by) => ({
      name: lineName(one, by.link),
      figures: by.own[stage],
    }))
  })
  const lines = measuredLines.map(({ name, figures }) => ({
    name,
    points: figures.count === 0 ? [] : percentileKeys.map((percentile, x) => ({ x, y: figures[percentile] })),
  }))
  return (
    <Chart
      title={inspectorStrings.sideBySide.title}
      sentence={inspectorStrings.sideBySide.sentence(stageNames[stage])}
      empty={inspectorStrings.sideBySide.empty}
      kind="lines"
      lines={lines}
      table={{
        head: [
          inspectorStrings.sideBySide.head,
          ...percentileKeys.map(inspectorStrings.sideBySide.inMs),
          inspectorStrings.sideBySide.edits,
        ],
        rows: measuredLines.map(({ name, figures }) => [
          name,
          ...percentileKeys.map((percentile) => percentileText(figures, percentile)),
          String(figures.count),
        ]),
      }}
      xRange={[-0.2, percentileKeys.length - 0.8]}
      xMarks={percentileKeys.map((_, index) => index)}
      xText={(x) => percentileKeys[x] ?? ''}
      yText={msMark}
    >
      <SelectField
        label={inspectorStrings.sideBySide.stage}
        value={stage}
        choices={stageChoices}
        onChange={setStage}
      />
    </Chart>
  )
}
