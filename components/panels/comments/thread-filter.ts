import type { Thread } from '@/lib/comments/stored-thread.ts'

export type ThreadFilter = 'open' | 'resolved'

/** @param thread Undefined if the list does not hold it yet: then it is new, and open. */
export const filterShowing = (thread: Pick<Thread, 'resolved'> | undefined): ThreadFilter =>
  thread?.resolved ? 'resolved' : 'open'
