/** Which dialog of folders is open: one at a time, whatever opened it. */
import { create } from 'zustand'
import type { FolderEntry } from '@/components/http-api.ts'
import type { Movable } from './use-folder-actions.ts'

export type FolderDialog =
  | { readonly kind: 'create'; readonly parent: FolderEntry | null }
  | { readonly kind: 'rename'; readonly folder: FolderEntry }
  | { readonly kind: 'move'; readonly movable: Movable }

export const useFolderDialog = create<{ readonly shown: FolderDialog | null }>(() => ({ shown: null }))

export const showFolderDialog = (shown: FolderDialog | null): void => useFolderDialog.setState({ shown })
