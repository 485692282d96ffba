'use client'

import { create } from 'zustand'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { Role } from '@/components/http-api.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'

/** What should be opened on another device. */
export interface HandoffItem {
  readonly document: string
  readonly kind: 'text' | PanelId
  /** "Outline", or the document's title. */
  readonly name: string
  readonly role: Role
}

const useStore = create<{ readonly item: HandoffItem | null }>(() => ({ item: null }))

/** Opens the dialog "Send … to" of this page, from a menu or by a command. */
export const openSendDialog = (item: HandoffItem): void => useStore.setState({ item })

const loadDialog = () => import('./send-dialog.tsx')

const closeSendDialog = (): void => useStore.setState({ item: null })

/** A page renders it once. */
export function SendDialogHost() {
  const { item } = useStore()
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
