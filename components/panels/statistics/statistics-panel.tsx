'use client'

import { useEffect, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { type Counted, type Counts, countText, readingMinutes, watchCounts } from '@/lib/text/count.ts'
import type { PanelProps } from '@/components/panels/panel'
import { textOf } from '../use-tree'
import { GoalSection } from './goal-section'
import { useSelectedText } from './use-selection'

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
  { name: 'Words', show: ({ words }: Counts) => words.toLocaleString('en') },
  { name: 'Characters', show: ({ characters }: Counts) => characters.toLocaleString('en') },
  { name: 'Without spaces', show: ({ withoutSpaces }: Counts) => withoutSpaces.toLocaleString('en') },
  { name: 'Paragraphs', show: ({ paragraphs }: Counts) => paragraphs.toLocaleString('en') },
  { name: 'Reading time', show: (counts: Counts) => timeText(readingMinutes(counts)) },
] as const

function timeText(minutes: number): string {
  if (minutes === 0) return '0 min'
  if (minutes < 1) return 'under 1 min'
  const whole = Math.round(minutes)
  return whole < 60 ? `${whole} min` : `${Math.floor(whole / 60)} h ${whole % 60} min`
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
      <caption className="sr-only">
        {isWhole ? 'Figures of the text' : 'Figures so far: still counting'}
      </caption>
      <thead className={selection ? '' : 'sr-only'}>
        <tr>
          <th scope="col">
            <span className="sr-only">Figure</span>
          </th>
          <th scope="col" className="text-right">
            Text
          </th>
          {selection && (
            <th scope="col" className="pl-4 text-right">
              Selection
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
