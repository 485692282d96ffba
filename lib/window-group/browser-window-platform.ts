/** This page as one window among those of its browser. */
import type { WindowPlatform } from './window-group.ts'
import { acquireWindowLock, type WindowLock } from './window-lock.ts'

let own: WindowLock | undefined

/** Returns undefined outside a browser, and in one without Web Locks, which could not tell which windows are gone. */
export function browserWindowPlatform(): WindowPlatform | undefined {
  if (typeof window === 'undefined' || !navigator.locks) return undefined
  own ??= acquireWindowLock(navigator.locks)
  return { own, locks: navigator.locks, channel: (name) => new BroadcastChannel(name) }
}
