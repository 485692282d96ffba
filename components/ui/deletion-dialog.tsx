'use client'

import { AlertDialog } from '@base-ui/react/alert-dialog'
import { useState } from 'react'
import { Button, buttonClass } from './button.tsx'

interface DeletionDialogProps {
  readonly title: string
  readonly hint: string
  readonly keep: string
  readonly confirm: string
  /** Says itself what has failed. The dialog closes when it is done. */
  readonly onConfirm: () => Promise<void>
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

/** Asks before something is deleted for good. */
export function DeletionDialog({ title, hint, keep, confirm, onConfirm, onClose }: DeletionDialogProps) {
  const [open, setOpen] = useState(true)
  const [isPending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    await onConfirm()
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
              {title}
            </AlertDialog.Title>
            <AlertDialog.Description className="mt-1.5 text-muted">{hint}</AlertDialog.Description>
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              <AlertDialog.Close className={buttonClass()}>{keep}</AlertDialog.Close>
              <Button look="danger" onClick={() => void run()} disabled={isPending}>
                {confirm}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
