'use client'

import { Dialog } from '@base-ui/react/dialog'
import type { FormEvent, RefObject } from 'react'
import { useRef, useState } from 'react'
import type { DocumentEntry } from '@/components/http-api.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import { toast } from '@/components/ui/toast.ts'
import { useRenameDocument } from './document-queries.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

interface RenameDialogProps {
  readonly entry: DocumentEntry
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

export default function RenameDialog({ entry, onClose }: RenameDialogProps) {
  const [open, setOpen] = useState(true)
  const titleInput = useRef<HTMLInputElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={documentsStrings.renameDialog.title} initialFocus={titleInput}>
        <RenameForm entry={entry} titleInput={titleInput} onDone={() => setOpen(false)} />
      </Modal>
    </Dialog.Root>
  )
}

interface RenameFormProps {
  readonly entry: DocumentEntry
  readonly titleInput: RefObject<HTMLInputElement | null>
  readonly onDone: () => void
}

function RenameForm({ entry, titleInput: input, onDone }: RenameFormProps) {
  const rename = useRenameDocument()
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const title = (new FormData(event.currentTarget).get('title') as string).trim()
    rename.mutate(
      { id: entry.id, title },
      {
        onSuccess: onDone,
        onError: (error) => toast.error(documentsStrings.renameDialog.failed(error.message)),
      },
    )
  }
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <label className="flex flex-col gap-1.5 text-sm text-muted">
        {documentsStrings.renameDialog.label}
        <input
          ref={input}
          name="title"
          defaultValue={entry.title}
          autoComplete="off"
          maxLength={300}
          onFocus={(event) => event.currentTarget.select()}
          className="h-11 rounded-lg border border-edge bg-paper px-3 text-base text-ink"
        />
      </label>
      <div className="flex justify-end gap-2">
        <Dialog.Close className={buttonClass()}>{commonStrings.cancel}</Dialog.Close>
        <Button type="submit" look="primary" disabled={rename.isPending}>
          {documentsStrings.renameDialog.confirm}
        </Button>
      </div>
    </form>
  )
}
