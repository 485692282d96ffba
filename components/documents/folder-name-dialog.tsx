'use client'

import { Dialog } from '@base-ui/react/dialog'
import { type FormEvent, useRef, useState } from 'react'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import { toast } from '@/components/ui/toast.ts'
import { MAX_FOLDER_NAME } from '@/lib/protocol/folder-tree.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import type { FolderDialog } from './folder-dialogs.ts'
import { useChangeFolder, useCreateFolder } from './folder-queries.ts'

interface FolderNameDialogProps {
  readonly dialog: Exclude<FolderDialog, { readonly kind: 'move' }>
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

const { dialog: words, failed } = foldersStrings

export default function FolderNameDialog({ dialog, onClose }: FolderNameDialogProps) {
  const [open, setOpen] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  const create = useCreateFolder()
  const change = useChangeFolder()
  const isNew = dialog.kind === 'create'
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = (new FormData(event.currentTarget).get('name') as string).trim()
    if (name === '') return input.current?.focus()
    try {
      if (isNew) await create.mutateAsync({ name, parent: dialog.parent?.id ?? null })
      else await change.mutateAsync({ id: dialog.folder.id, name })
      setOpen(false)
    } catch (error) {
      toast.error(failed[isNew ? 'create' : 'change']((error as Error).message))
    }
  }
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={isNew ? words.create : words.rename} initialFocus={input}>
        <form onSubmit={(event) => void onSubmit(event)} className="flex flex-col gap-4">
          <label className="flex flex-col gap-1.5 text-sm text-muted">
            {words.name}
            <input
              ref={input}
              name="name"
              defaultValue={isNew ? '' : dialog.folder.name}
              autoComplete="off"
              maxLength={MAX_FOLDER_NAME}
              onFocus={(event) => event.currentTarget.select()}
              className="h-11 rounded-lg border border-edge bg-paper px-3 text-base text-ink"
            />
          </label>
          <div className="flex justify-end gap-2">
            <Dialog.Close className={buttonClass()}>{commonStrings.cancel}</Dialog.Close>
            <Button type="submit" look="primary" disabled={create.isPending || change.isPending}>
              {isNew ? words.confirmCreate : words.confirmRename}
            </Button>
          </div>
        </form>
      </Modal>
    </Dialog.Root>
  )
}
