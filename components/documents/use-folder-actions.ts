'use client'

import type { FolderEntry, PlacedEntry } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { usePlaceDocument } from './document-queries.ts'
import { useChangeFolder, useDeleteFolder, useFolders, useRestoreFolder } from './folder-queries.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'

/** A thing that a person can put into a folder. */
export type Movable =
  | { readonly kind: 'document'; readonly entry: PlacedEntry }
  | { readonly kind: 'folder'; readonly folder: FolderEntry }

export const nameOfMovable = (movable: Movable): string =>
  movable.kind === 'document' ? shownTitle(movable.entry.title) : movable.folder.name

const { done, failed } = foldersStrings

/** Each says what it did, with a way back, or why not. */
export function useFolderActions() {
  const { folders } = useFolders()
  const { mutateAsync: changeFolder } = useChangeFolder()
  const { mutateAsync: deleteFolder } = useDeleteFolder()
  const { mutateAsync: restoreFolder } = useRestoreFolder()
  const { mutateAsync: placeDocument } = usePlaceDocument()

  async function restore({ id, name }: FolderEntry): Promise<void> {
    try {
      await restoreFolder(id)
      toast(done.restored(name))
    } catch (error) {
      toast.error(failed.restore((error as Error).message))
    }
  }

  /** @param target The folder that it is put into; null for none. */
  async function move(movable: Movable, target: FolderEntry | null): Promise<void> {
    const name = nameOfMovable(movable)
    const id = target?.id ?? null
    const isDocument = movable.kind === 'document'
    const before = isDocument ? movable.entry.folder : movable.folder.parent
    if (id === before) return
    try {
      if (isDocument) await placeDocument({ id: movable.entry.id, folder: id })
      else await changeFolder({ id: movable.folder.id, parent: id })
    } catch (error) {
      toast.error(failed.move(name, (error as Error).message))
      return
    }
    const former = before === null ? null : folders.get(before)
    const moved: Movable = isDocument
      ? { kind: 'document', entry: { ...movable.entry, folder: id } }
      : { kind: 'folder', folder: { ...movable.folder, parent: id } }
    const action = { label: done.undo, onClick: () => void move(moved, former!) }
    toast(
      target ? done.moved(name, target.name) : done.movedOut(name),
      former === undefined ? {} : { action },
    )
  }

  return {
    folders,
    move,
    async remove(folder: FolderEntry): Promise<boolean> {
      try {
        await deleteFolder(folder.id)
        toast(done.deleted(folder.name), {
          action: { label: done.undo, onClick: () => void restore(folder) },
        })
        return true
      } catch (error) {
        toast.error(failed.delete((error as Error).message))
        return false
      }
    },
  }
}
