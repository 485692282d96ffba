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

/** Whether this window has the keyboard. Of several windows only that one speaks. */
export const useWindowFocused = (): boolean =>
  useSyncExternalStore(
    subscribe,
    () => document.hasFocus(),
    () => false,
  )
