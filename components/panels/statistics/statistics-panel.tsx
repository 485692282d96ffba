'use client'

import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type Counted, type Counts, countText, readingMinutes, watchCounts } from '@/lib/text/count.ts'
import type { PanelProps } from '@/components/panels/panel'
import { textOf } from '../use-tree'
import { GoalSection } from './goal-section'
import { useSelectedText } from './use-selection'
import { strings } from '@/lib/strings/statistics.ts'

export default function StatisticsPanel({ opened, document }: PanelProps) {
  const counted = useCounts(opened)
  const selected = useSelectedText()
  if (!counted) return null
  const { counts, isWhole } = counted
  return (
    <div className="mx-auto flex w-full max-w-md flex-col gap-6 p-4">
      <Figures counts={counts} selection={selected === '' ? null : countText(selected)} isWhole={isWhole} />
      <GoalSection opened={opened} document={document} words={counts.words} />
    </div>
  )
}

function useCounts(opened: OpenDocument): Counted | null {
  const [counted, setCounted] = useState<Counted | null>(null)
  useEffect(() => watchCounts(textOf(opened), setCounted), [opened])
  return counted
}

const figures = [
  { name: strings.figures.words, show: ({ words }: Counts) => words.toLocaleString('en') },
  { name: strings.figures.characters, show: ({ characters }: Counts) => characters.toLocaleString('en') },
  {
    name: strings.figures.withoutSpaces,
    show: ({ withoutSpaces }: Counts) => withoutSpaces.toLocaleString('en'),
  },
  { name: strings.figures.paragraphs, show: ({ paragraphs }: Counts) => paragraphs.toLocaleString('en') },
  { name: strings.figures.readingTime, show: (counts: Counts) => timeText(readingMinutes(counts)) },
] as const

function timeText(minutes: number): string {
  if (minutes === 0) return strings.figures.noTime
  if (minutes < 1) return strings.figures.underOneMinute
  const whole = Math.round(minutes)
  return whole < 60
    ? strings.figures.minutes(whole)
    : strings.figures.hours(Math.floor(whole / 60), whole % 60)
}

interface FiguresProps {
  readonly counts: Counts
  readonly selection: Counts | null
  readonly isWhole: boolean
}

function Figures({ counts, selection, isWhole }: FiguresProps) {
  return (
    <table
      aria-busy={!isWhole}
      className="w-full text-sm tabular-nums [&_td]:py-1.5 [&_td]:pl-4 [&_td]:text-right [&_th]:py-1.5 [&_th]:font-normal [&_th]:text-muted"
    >
      <caption className="sr-only">{isWhole ? strings.figures.caption : strings.figures.counting}</caption>
      <thead className={selection ? '' : 'sr-only'}>
        <tr>
          <th scope="col">
            <span className="sr-only">{strings.figures.figure}</span>
          </th>
          <th scope="col" className="text-right">
            {strings.figures.text}
          </th>
          {selection && (
            <th scope="col" className="pl-4 text-right">
              {strings.figures.selection}
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
