'use client'

import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import {
  type CountResult,
  type TextCounts,
  countText,
  readingMinutes,
  watchCounts,
} from '@/lib/text/count.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { textFragmentOf } from '@/components/binding/use-text-tree.ts'
import { GoalSection } from './goal-section.tsx'
import { useSelectedText } from './use-selected-text.ts'
import { statisticsStrings } from '@/lib/strings/statistics.ts'

export default function StatisticsPanel({ opened, document }: PanelProps) {
  const countResult = useCounts(opened)
  const selected = useSelectedText()
  if (!countResult) return null
  const { counts, isWhole } = countResult
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 p-4">
      <FiguresTable
        counts={counts}
        selection={selected === '' ? null : countText(selected)}
        isWhole={isWhole}
      />
      <GoalSection opened={opened} document={document} words={counts.words} />
    </div>
  )
}

function useCounts(opened: OpenDocument): CountResult | null {
  const [countResult, setCountResult] = useState<CountResult | null>(null)
  useEffect(() => watchCounts(textFragmentOf(opened), setCountResult), [opened])
  return countResult
}

const figures = [
  { name: statisticsStrings.figures.words, show: ({ words }: TextCounts) => words.toLocaleString('en') },
  {
    name: statisticsStrings.figures.characters,
    show: ({ characters }: TextCounts) => characters.toLocaleString('en'),
  },
  {
    name: statisticsStrings.figures.withoutSpaces,
    show: ({ withoutSpaces }: TextCounts) => withoutSpaces.toLocaleString('en'),
  },
  {
    name: statisticsStrings.figures.paragraphs,
    show: ({ paragraphs }: TextCounts) => paragraphs.toLocaleString('en'),
  },
  {
    name: statisticsStrings.figures.readingTime,
    show: (counts: TextCounts) => readingTimeText(readingMinutes(counts)),
  },
] as const

function readingTimeText(minutes: number): string {
  if (minutes === 0) return statisticsStrings.figures.noTime
  if (minutes < 1) return statisticsStrings.figures.underOneMinute
  const wholeMinutes = Math.round(minutes)
  return wholeMinutes < 60
    ? statisticsStrings.figures.minutes(wholeMinutes)
    : statisticsStrings.figures.hours(Math.floor(wholeMinutes / 60), wholeMinutes % 60)
}

interface FiguresTableProps {
  readonly counts: TextCounts
  readonly selection: TextCounts | null
  readonly isWhole: boolean
}

function FiguresTable({ counts, selection, isWhole }: FiguresTableProps) {
  return (
    <table
      aria-busy={!isWhole}
      className="w-full text-sm tabular-nums [&_td]:py-1.5 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1.5 [&_th]:font-normal [&_th]:text-muted"
    >
      <caption className="sr-only">
        {isWhole ? statisticsStrings.figures.caption : statisticsStrings.figures.counting}
      </caption>
      <thead className={selection ? '' : 'sr-only'}>
        <tr>
          <th scope="col">
            <span className="sr-only">{statisticsStrings.figures.figure}</span>
          </th>
          <th scope="col" className="text-right">
            {statisticsStrings.figures.text}
          </th>
          {selection && (
            <th scope="col" className="pl-4 text-right">
              {statisticsStrings.figures.selection}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {figures.map(({ name, show }) => (
          <tr key={name} className="border-b border-line last:border-0">
            <th scope="row" className="text-left">
              {name}
            </th>
            <td className="font-medium">{show(counts)}</td>
            {selection && <td>{show(selection)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
