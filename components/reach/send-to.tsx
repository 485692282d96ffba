'use client'

import { useSyncExternalStore } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Role } from '@/components/api'
import { Late } from '@/components/ui/late'
import { notifyAll } from '@/lib/notify-all.ts'

/** What is to be opened elsewhere. */
export interface Sent {
  readonly document: string
  readonly kind: 'text' | PanelId
  /** "Outline", or the document's title. */
  readonly name: string
  readonly role: Role
}

let sent: Sent | null = null
const listeners = new Set<() => void>()

const set = (next: Sent | null): void => {
  sent = next
  notifyAll(listeners)
}

/** Opens the dialog "Send … to" of this page, from a menu or by command. */
export const sendTo = (what: Sent): void => set(what)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const load = () => import('./send-dialog')

const close = (): void => set(null)

/** Once a page. */
export function SendTo() {
  const what = useSyncExternalStore(
    subscribe,
    () => sent,
    () => null,
  )
  return what && <Late load={load} props={{ what, onClose: close }} onMissing={close} />
}
