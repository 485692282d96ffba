'use client'

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useState } from 'react'
import type { TrashedEntry } from '@/components/http-api.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
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
  const [open, setOpen] = useState(true)
  const title = shownTitle(entry.title)
  const { mutateAsync: deleteForGood, isPending } = useDeleteForGood()
  // Awaited here, because a dialog that has closed meanwhile gets no callback.
  const onConfirm = async () => {
    try {
      await deleteForGood(entry.id)
      toast(documentsStrings.deleteDialog.done(title))
    } catch (error) {
      toast.error(documentsStrings.deleteDialog.failed((error as Error).message))
    }
    setOpen(false)
  }
  return (
    <AlertDialog.Root
      open={open}
      onOpenChange={setOpen}
      onOpenChangeComplete={(isOpen) => !isOpen && onClose()}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-black/30 dark:bg-black/55" />
        <AlertDialog.Viewport className="fixed inset-0 z-50 grid place-items-end sm:place-items-center sm:p-6">
          <AlertDialog.Popup className="popup-motion w-full rounded-t-2xl border border-line bg-raised p-5 shadow-float outline-none sm:max-w-md sm:rounded-2xl">
            <AlertDialog.Title className="text-lg font-semibold tracking-tight wrap-anywhere">
              {documentsStrings.deleteDialog.title(title)}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1.5 text-muted">
              {documentsStrings.deleteDialog.hint}
            </AlertDialog.Description>
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              <AlertDialog.Close className={buttonClass()}>
                {documentsStrings.deleteDialog.keep}
              </AlertDialog.Close>
              <Button look="danger" onClick={() => void onConfirm()} disabled={isPending}>
                {documentsStrings.deleteDialog.confirm}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
