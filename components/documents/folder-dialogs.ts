'use client'

/** Which dialog of folders is open: one at a time, whatever opened it. */
import { useSyncExternalStore } from 'react'
import type { FolderEntry } from '@/components/http-api.ts'
import { Subscribable } from '@/lib/subscribable.ts'
import type { Movable } from './use-folder-actions.ts'

export type FolderDialog =
  | { readonly kind: 'create'; readonly parent: FolderEntry | null }
  | { readonly kind: 'rename'; readonly folder: FolderEntry }
  | { readonly kind: 'move'; readonly movable: Movable }

const changes = new Subscribable()
let shown: FolderDialog | null = null

export function showFolderDialog(dialog: FolderDialog | null): void {
  shown = dialog
  changes.notify()
}

export const useFolderDialog = (): FolderDialog | null =>
  useSyncExternalStore(
    changes.subscribe,
    () => shown,
    () => null,
  )
