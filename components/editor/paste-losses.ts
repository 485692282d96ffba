/** What of something pasted the text has no place for, and how a person is told. */
import { strings } from '@/lib/strings/editor.ts'

const lossKinds = ['table', 'image', 'video', 'recording', 'page', 'file'] as const

export type PasteLosses = Readonly<Partial<Record<(typeof lossKinds)[number], number>>>

/** "2 tables and 1 image could not be pasted." Null where nothing was lost. */
export function pasteLossSentence(losses: PasteLosses): string | null {
  const counted = lossKinds.flatMap((kind) => (losses[kind] ? [strings.pasted[kind](losses[kind])] : []))
  if (counted.length === 0) return null
  const sentence = strings.pasted.lost(counted)
  return losses.table ? `${sentence} ${strings.pasted.tableText(losses.table)}` : sentence
}
