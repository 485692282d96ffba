'use client'

import { useSyncExternalStore } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Role } from '@/components/http-api'
import { LazyComponent } from '@/components/ui/lazy-component'
import { notifyAll } from '@/lib/notify-all.ts'

/** What is to be opened elsewhere. */
export interface HandoffItem {
  readonly document: string
  readonly kind: 'text' | PanelId
  /** "Outline", or the document's title. */
  readonly name: string
  readonly role: Role
}

let currentItem: HandoffItem | null = null
const listeners = new Set<() => void>()

const setCurrentItem = (next: HandoffItem | null): void => {
  currentItem = next
  notifyAll(listeners)
}

/** Opens the dialog "Send … to" of this page, from a menu or by command. */
export const openSendDialog = (item: HandoffItem): void => setCurrentItem(item)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const loadDialog = () => import('./send-dialog')

const closeSendDialog = (): void => setCurrentItem(null)

/** Once a page. */
export function SendDialogHost() {
  const item = useSyncExternalStore(
    subscribe,
    () => currentItem,
    () => null,
  )
  return (
    item && (
      <LazyComponent
        load={loadDialog}
        props={{ what: item, onClose: closeSendDialog }}
        onLoadFailed={closeSendDialog}
      />
    )
  )
}
