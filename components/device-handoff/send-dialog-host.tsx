'use client'

import { useSyncExternalStore } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Role } from '@/components/http-api.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { Subscribable } from '@/lib/subscribable.ts'

/** What should be opened on another device. */
export interface HandoffItem {
  readonly document: string
  readonly kind: 'text' | PanelId
  /** "Outline", or the document's title. */
  readonly name: string
  readonly role: Role
}

let currentItem: HandoffItem | null = null
const listeners = new Subscribable()

const setCurrentItem = (next: HandoffItem | null): void => {
  currentItem = next
  listeners.notify()
}

/** Opens the dialog "Send … to" of this page, from a menu or by a command. */
export const openSendDialog = (item: HandoffItem): void => setCurrentItem(item)

const loadDialog = () => import('./send-dialog.tsx')

const closeSendDialog = (): void => setCurrentItem(null)

/** A page renders it once. */
export function SendDialogHost() {
  const item = useSyncExternalStore(
    listeners.subscribe,
    () => currentItem,
    () => null,
  )
  return (
    item && (
      <LazyComponent
        load={loadDialog}
        props={{ item, onClose: closeSendDialog }}
        onLoadFailed={closeSendDialog}
      />
    )
  )
}
