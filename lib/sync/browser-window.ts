/** This page as one window among those of its browser. */
import type { NeighbourPowers } from './neighbours.ts'
import { openOwnWindow, type OwnWindow } from './window-id.ts'

let own: OwnWindow | undefined

/** Undefined outside a browser, and in one without Web Locks, which could not tell who is gone. */
export function browserNeighbours(): NeighbourPowers | undefined {
  if (typeof window === 'undefined' || !navigator.locks) return undefined
  own ??= openOwnWindow(navigator.locks)
  return { own, locks: navigator.locks, channel: (name) => new BroadcastChannel(name) }
}
