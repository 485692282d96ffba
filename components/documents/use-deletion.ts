'use client'

import type { DocumentEntry } from '@/components/api'
import { toast } from '@/components/ui/toast'
import { useMoveToTrash, useRestore } from './queries'
import { titleOf } from './title'
import { strings } from '@/lib/strings/documents.ts'

/** Moves a document to the trash, and offers to take that back. */
export function useDeletion() {
  const { mutateAsync: moveToTrash } = useMoveToTrash()
  const { mutateAsync: restore } = useRestore()

  // Awaited here: the list, and what `mutate` was given, may be gone by the time of an answer.
  async function takeBack({ id, title }: DocumentEntry): Promise<void> {
    try {
      await restore(id)
      toast(strings.restore.done(titleOf(title)))
    } catch (error) {
      toast.error(strings.restore.failed((error as Error).message))
    }
  }

  /** @param beforeGone While the document is still in the list. */
  return async (entry: DocumentEntry, beforeGone: () => void): Promise<void> => {
    try {
      beforeGone()
      await moveToTrash(entry.id)
      const action = { label: strings.moveToTrash.undo, onClick: () => void takeBack(entry) }
      toast(strings.moveToTrash.done(titleOf(entry.title)), { action })
    } catch (error) {
      toast.error(strings.moveToTrash.failed((error as Error).message))
    }
  }
}
