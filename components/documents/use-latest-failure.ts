'use client'

import { useState } from 'react'

interface RepeatedQuery {
  readonly error: Error | null
  readonly errorUpdateCount: number
}

/**
 * Returns why a list could not be fetched, also while the request is repeated: the query then says that it is pending, as at first, and
 * what is shown in place of the list would come and go. Null if it has not failed yet.
 */
export function useLatestFailure({ error, errorUpdateCount }: RepeatedQuery): Error | null {
  const [latest, setLatest] = useState<Error | null>(null)
  if (error && error !== latest) setLatest(error)
  return errorUpdateCount > 0 ? (error ?? latest) : null
}
