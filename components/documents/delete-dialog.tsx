'use client'

import type { TrashedEntry } from '@/components/http-api.ts'
import { DeletionDialog } from '@/components/ui/deletion-dialog.tsx'
import { toast } from '@/components/ui/toast.ts'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { useDeleteForGood } from './document-queries.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

interface DeleteDialogProps {
  readonly entry: TrashedEntry
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

export default function DeleteDialog({ entry, onClose }: DeleteDialogProps) {
  const title = shownTitle(entry.title)
  const { mutateAsync: deleteForGood } = useDeleteForGood()
  // Awaited here, because a dialog that has closed meanwhile gets no callback.
  const onConfirm = async () => {
    try {
      await deleteForGood(entry.id)
      toast(documentsStrings.deleteDialog.done(title))
    } catch (error) {
      toast.error(documentsStrings.deleteDialog.failed((error as Error).message))
    }
  }
  const { hint, keep, confirm } = documentsStrings.deleteDialog
  return (
    <DeletionDialog
      {...{ hint, keep, confirm, onConfirm, onClose }}
      title={documentsStrings.deleteDialog.title(title)}
    />
  )
}
