'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'

/** Goes to the letters that a search has found, where the address names some. */
export function useFoundText(opened: OpenDocument): void {
  useEffect(() => {
    const stop = new AbortController()
    if (location.hash.startsWith('#find='))
      // Where this code does not load, the page shows the document from its beginning.
      void import('./follow-found-text.ts').then(
        ({ followFoundText }) => followFoundText(opened, stop),
        () => undefined,
      )
    return () => stop.abort()
  }, [opened])
}
