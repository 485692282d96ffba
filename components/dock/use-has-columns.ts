'use client'

import { useSyncExternalStore } from 'react'

/** Tailwind's `md`: below it there is no room beside a text. */
const MIN_WIDTH_QUERY = '(min-width: 48rem)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(MIN_WIDTH_QUERY)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export const useHasColumns = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(MIN_WIDTH_QUERY).matches,
    () => true,
  )
