/**
 * How many comments of other people this browser has shown, by document: what is more is new. A count and no time, because the clocks of
 * authors differ, and a comment written offline arrives late.
 */
import { Subscribable } from '@/lib/subscribable.ts'
import type { Thread } from '@/lib/comments/stored-thread.ts'

const STORAGE_KEY = 'diptych.comments-seen'

/** Of so many documents, those used last. */
const MAX_DOCUMENTS = 200

type SeenCount = readonly [document: string, count: number]

const isSeenCount = (entry: unknown): entry is SeenCount =>
  Array.isArray(entry) && typeof entry[0] === 'string' && Number.isSafeInteger(entry[1])

/** Storage may be blocked, and its content is untrusted. */
function readCounts(): readonly SeenCount[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSeenCount) : []
  } catch {
    return []
  }
}

const onStorage = ({ key }: StorageEvent): void => {
  if (key === STORAGE_KEY || key === null) listeners.notify()
}

const listeners: Subscribable = new Subscribable(
  () => addEventListener('storage', onStorage),
  () => removeEventListener('storage', onStorage),
)

export const subscribeToSeenComments = listeners.subscribe

export const seenCommentsOf = (document: string): number =>
  readCounts().find(([id]) => id === document)?.[1] ?? 0

export function markCommentsSeen(document: string, count: number): void {
  if (seenCommentsOf(document) === count) return
  const others = readCounts().filter(([id]) => id !== document)
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, [document, count]].slice(-MAX_DOCUMENTS)))
  } catch {
    // Without storage they count as new again.
  }
  listeners.notify()
}

export const countOthersComments = (threads: readonly Thread[], ownId: string): number =>
  threads.flatMap(({ messages }) => messages).filter(({ author }) => author.id !== ownId).length
