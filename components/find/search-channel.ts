/** Between a Find window and the windows that show the text: these mark what the person looks for there. */
import type { OpenDocument } from '@/lib/client.ts'
import type { SearchQuery } from '@/lib/text/find.ts'

/** What a Find window looks for. */
export interface LinkedSearch {
  readonly query: SearchQuery
  /** The index of the match that the person was brought to; null for none. */
  readonly current: number | null
}

/** Carries a `LinkedSearch` from a Find window, and null from a window with the text, which asks for it. */
export const openSearchChannel = ({ handle }: OpenDocument): BroadcastChannel =>
  new BroadcastChannel(`diptych:find:${handle.document}`)
