'use client'

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useState } from 'react'
import type { DocumentEntry } from '@/components/api'
import { Button, buttonClass } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { titleOf } from './title'
import { useRemoveDocument } from './queries'

/** Open while `entry` is set. Remembers it while closing, so that the words do not change on the way out. */
export function RemoveDialog({ entry, onClose }: { entry: DocumentEntry | null; onClose: () => void }) {
  const [shown, setShown] = useState(entry)
  if (entry && entry !== shown) setShown(entry)
  const remove = useRemoveDocument()
  const confirm = () => {
    if (!entry) return
    remove.mutate(entry.id, {
      onSuccess: () => toast(`“${titleOf(entry.title)}” is deleted.`),
      onError: (error) => toast.error(`It was not deleted. ${error.message}`),
      onSettled: onClose,
    })
  }
  return (
    <AlertDialog.Root open={entry !== null} onOpenChange={(open) => !open && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-40 bg-black/30 dark:bg-black/55" />
        <AlertDialog.Viewport className="fixed inset-0 z-50 grid place-items-end sm:place-items-center sm:p-6">
          <AlertDialog.Popup className="popup-motion w-full rounded-t-2xl border border-line bg-raised p-5 shadow-float outline-none sm:max-w-md sm:rounded-2xl">
            <AlertDialog.Title className="text-lg font-semibold tracking-tight">
              Delete “{titleOf(shown?.title ?? '')}”?
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1.5 text-muted">
              This permanently deletes it for everyone. Its links stop working.
            </AlertDialog.Description>
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              <AlertDialog.Close className={buttonClass()}>Keep it</AlertDialog.Close>
              <Button look="danger" onClick={confirm} disabled={remove.isPending}>
                Delete
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
