'use client'

import { Dialog } from '@base-ui/react/dialog'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { MAX_ALT_LENGTH } from '@/lib/blocks/picture/picture-attributes.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { pictureFormsStrings } from '@/lib/strings/picture-forms.ts'

interface AltTextDialogProps {
  /** Null until somebody has written it; '' for a picture that only decorates. */
  readonly alt: string | null
  readonly onSave: (alt: string) => void
}

export function AltTextDialog({
  alt,
  onSave,
  anchor,
  onOpenChange,
  ...popup
}: AltTextDialogProps & PopupProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [isDecorative, setDecorative] = useState(alt === '')
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = (field.current?.value ?? '').trim()
    if (isDecorative || text !== '') onSave(isDecorative ? '' : text)
    onOpenChange(false)
  }
  // It is one sentence, and a line break in it is read as a space.
  const submitByEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.currentTarget.form?.requestSubmit()
  }
  return (
    <Dialog.Root {...popup} onOpenChange={(isOpen) => onOpenChange(isOpen)}>
      <Modal
        title={pictureFormsStrings.altText.title}
        description={pictureFormsStrings.altText.description}
        initialFocus={field}
        finalFocus={anchor}
      >
        <form onSubmit={onSubmit} className="flex flex-col gap-4">
          <label className="flex flex-col gap-1.5 text-sm text-muted">
            {pictureFormsStrings.altText.label}
            <textarea
              ref={field}
              defaultValue={alt ?? ''}
              disabled={isDecorative}
              maxLength={MAX_ALT_LENGTH}
              rows={3}
              onKeyDown={submitByEnter}
              className="rounded-lg border border-edge bg-paper px-3 py-2 text-base text-ink disabled:opacity-55"
            />
          </label>
          <label className="flex min-h-8 items-center gap-2.5 text-sm">
            <input
              type="checkbox"
              checked={isDecorative}
              onChange={({ target }) => setDecorative(target.checked)}
              className="size-4 accent-accent"
            />
            {pictureFormsStrings.altText.decorative}
          </label>
          <div className="flex justify-end gap-2">
            <Dialog.Close className={buttonClass()}>{commonStrings.cancel}</Dialog.Close>
            <Button type="submit" look="primary">
              {pictureFormsStrings.altText.save}
            </Button>
          </div>
        </form>
      </Modal>
    </Dialog.Root>
  )
}
