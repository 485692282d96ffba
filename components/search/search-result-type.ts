import type { FoundEntry } from '@/components/http-api.ts'

export interface SearchResult extends Omit<FoundEntry, 'owner'> {
  /** Null on a device, which does not know. */
  readonly owner: FoundEntry['owner'] | null
}
