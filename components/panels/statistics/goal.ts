/** How many words a person wants a document to have. Only they know it: it is stored in their desk. */
import { isRecord } from '@/lib/protocol/value-reader.ts'
import type * as Y from 'yjs'

export interface Goal {
  readonly version: 1
  readonly words: number
}

export const MAX_GOAL = 10_000_000

/** Returns null for what another version wrote, or for a number that nobody could choose: there is no goal then. */
export function readGoal(value: unknown): Goal | null {
  if (!isRecord(value)) return null
  const { version, words } = value
  if (version !== 1 || !isGoal(words)) return null
  return { version, words }
}

const isGoal = (words: unknown): words is number =>
  Number.isInteger(words) && (words as number) >= 1 && (words as number) <= MAX_GOAL

export const goalsIn = (desk: Y.Doc): Y.Map<unknown> => desk.getMap('goals')

export function setGoal(desk: Y.Doc, document: string, words: number | null): void {
  if (words === null) goalsIn(desk).delete(document)
  else goalsIn(desk).set(document, { version: 1, words } satisfies Goal)
}
