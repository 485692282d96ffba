/** This page as one window among those of its browser. */
import type { NeighbourPowers } from './neighbours.ts'
import { openOwnWindow, type OwnWindow } from './window-id.ts'

let own: OwnWindow | undefined

/** One for the whole page load. Undefined outside a browser, and in one without Web Locks, which could not tell who is gone. */
export function browserWindow(): OwnWindow | undefined {
  if (typeof window === 'undefined' || !navigator.locks) return undefined
  return (own ??= openOwnWindow(navigator.locks))
}

export function browserNeighbours(): NeighbourPowers | undefined {
  const own = browserWindow()
  return own && { own, locks: navigator.locks, channel: (name) => new BroadcastChannel(name) }
}
