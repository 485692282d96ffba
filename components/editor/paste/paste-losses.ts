/** Counts what the text could not take over from pasted content, and says so to the person. */
import { insertedTextStrings } from '@/lib/strings/inserted-text.ts'

const lossKinds = ['table', 'image', 'video', 'recording', 'page', 'file'] as const

export type PasteLosses = Readonly<Partial<Record<(typeof lossKinds)[number], number>>>

/** For example "2 tables and 1 image could not be pasted." Null if nothing was lost. */
export function pasteLossSentence(losses: PasteLosses): string | null {
  const counted = lossKinds.flatMap((kind) =>
    losses[kind] ? [insertedTextStrings.pasted[kind](losses[kind])] : [],
  )
  if (counted.length === 0) return null
  const sentence = insertedTextStrings.pasted.lost(counted)
  return losses.table ? `${sentence} ${insertedTextStrings.pasted.tableText(losses.table)}` : sentence
}
