'use client'

import dynamic from 'next/dynamic'
import { useSyncExternalStore } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Role } from '@/components/api'

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
  listeners.forEach((listener) => listener())
}

/** Opens the dialog "Send … to" of this page, from a menu or by command. */
export const sendTo = (what: Sent): void => set(what)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const SendDialog = dynamic(() => import('./send-dialog'), { ssr: false })

/** Once a page. */
export function SendTo() {
  const what = useSyncExternalStore(
    subscribe,
    () => sent,
    () => null,
  )
  return what && <SendDialog what={what} onClose={() => set(null)} />
}
