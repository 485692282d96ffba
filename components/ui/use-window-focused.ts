'use client'

import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  addEventListener('focus', listener)
  addEventListener('blur', listener)
  return () => {
    removeEventListener('focus', listener)
    removeEventListener('blur', listener)
  }
}

/** Whether this window has the focus. Of several windows, only that one makes announcements. */
export const useWindowFocused = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => document.hasFocus(),
    () => false,
  )
