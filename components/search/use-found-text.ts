'use client'

import { useEffect } from 'react'
import type { OpenDocument } from '@/lib/client.ts'

/** Goes to the letters that a search has found, where the address names some. */
export function useFoundText(opened: OpenDocument): void {
  useEffect(() => {
    const end = new AbortController()
    let stop = new AbortController()
    const follow = () => {
      if (!location.hash.startsWith('#find=')) return
      stop.abort()
      stop = new AbortController()
      const current = stop
      // Where this code does not load, the page shows the document from its beginning.
      void import('./follow-found-text.ts').then(
        ({ followFoundText }) => followFoundText(opened, current),
        () => undefined,
      )
    }
    follow()
    addEventListener('hashchange', follow, { signal: end.signal })
    return () => {
      end.abort()
      stop.abort()
    }
  }, [opened])
}
