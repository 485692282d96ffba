'use client'

/** Adds the commands of a document's palette that change its person's own order. */
import { api, type PlacedEntry } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { showFolderDialog } from './folder-dialogs.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'

/** @param title As the window shows it: the server may know an older one. */
export async function moveOpenDocument(id: string, title: string): Promise<void> {
  try {
    const entry = await api.getDocument(id)
    showFolderDialog({ kind: 'move', movable: { kind: 'document', entry: { ...entry, title } } })
  } catch (error) {
    toast.error(foldersStrings.failed.move(shownTitle(title), (error as Error).message))
  }
}

export async function toggleFavourite(id: string, title: string): Promise<void> {
  try {
    const { favourite }: PlacedEntry = await api.getDocument(id)
    await api.placeDocument(id, { favourite: !favourite })
    toast(foldersStrings.done[favourite ? 'notFavourite' : 'favourite'](shownTitle(title)))
  } catch (error) {
    toast.error(foldersStrings.failed.favourite((error as Error).message))
  }
}
