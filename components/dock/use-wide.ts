'use client'

import { useSyncExternalStore } from 'react'

/** Tailwind's `md`: below it there is no room beside a text. */
const query = '(min-width: 48rem)'

function subscribe(listener: () => void): () => void {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

export const useWide = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => true,
  )
