'use client'

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useState } from 'react'
import type { TrashedEntry } from '@/components/api'
import { Button, buttonClass } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { titleOf } from './title'
import { useDeleteForGood } from './queries'

/** Open while `entry` is set. Remembers it while closing, so that the words do not change on the way out. */
export function DeleteDialog({ entry, onClose }: { entry: TrashedEntry | null; onClose: () => void }) {
  const [shown, setShown] = useState(entry)
  if (entry && entry !== shown) setShown(entry)
  const deletion = useDeleteForGood()
  const confirm = () => {
    if (!entry) return
    deletion.mutate(entry.id, {
      onSuccess: () => toast(`“${titleOf(entry.title)}” is deleted for good.`),
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
            <AlertDialog.Title className="text-lg font-semibold tracking-tight wrap-anywhere">
              Delete “{titleOf(shown?.title ?? '')}” for good?
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1.5 text-muted">
              This deletes its text, comments and versions for everyone. It cannot be undone.
            </AlertDialog.Description>
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              <AlertDialog.Close className={buttonClass()}>Keep it</AlertDialog.Close>
              <Button look="danger" onClick={confirm} disabled={deletion.isPending}>
                Delete for good
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
