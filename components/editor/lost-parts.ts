/** What of something pasted the text has no place for, and how a person is told. */
import { strings } from '@/lib/strings/editor.ts'

const kinds = ['table', 'image', 'video', 'recording', 'page', 'file'] as const

export type LostParts = Readonly<Partial<Record<(typeof kinds)[number], number>>>

/** "2 tables and 1 image could not be pasted." Null where nothing was lost. */
export function lostSentence(lost: LostParts): string | null {
  const counted = kinds.flatMap((kind) => (lost[kind] ? [strings.pasted[kind](lost[kind])] : []))
  if (counted.length === 0) return null
  const sentence = strings.pasted.lost(counted)
  return lost.table ? `${sentence} ${strings.pasted.tableText(lost.table)}` : sentence
}
