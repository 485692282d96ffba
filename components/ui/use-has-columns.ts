'use client'

import { useSyncExternalStore } from 'react'

/** Tailwind's `md`. A narrower window has no room beside the text. */
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
