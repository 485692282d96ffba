'use client'

import type { DocumentEntry } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { useMoveToTrash, useRestore } from './document-queries.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

type TrashableDocument = Pick<DocumentEntry, 'id' | 'title'>

/** Moves a document to the trash and offers to undo that. */
export function useTrashAction() {
  const { mutateAsync: moveToTrash } = useMoveToTrash()
  const { mutateAsync: restore } = useRestore()

  // Awaited here, because the list and the callbacks of `mutate` may be gone when the answer arrives.
  async function undoTrash({ id, title }: TrashableDocument): Promise<void> {
    try {
      await restore(id)
      toast(documentsStrings.restore.done(shownTitle(title)))
    } catch (error) {
      toast.error(documentsStrings.restore.failed((error as Error).message))
    }
  }

  /**
   * Returns whether it is in the trash now.
   *
   * @param onBeforeRemove Called while the document is still in the list.
   */
  return async (entry: TrashableDocument, onBeforeRemove: () => void): Promise<boolean> => {
    try {
      onBeforeRemove()
      await moveToTrash(entry.id)
      const action = { label: documentsStrings.moveToTrash.undo, onClick: () => void undoTrash(entry) }
      toast(documentsStrings.moveToTrash.done(shownTitle(entry.title)), { action })
      return true
    } catch (error) {
      toast.error(documentsStrings.moveToTrash.failed((error as Error).message))
      return false
    }
  }
}
