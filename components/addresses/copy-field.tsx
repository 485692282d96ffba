'use client'

import { type ComponentProps, useRef } from 'react'
import { CopyButton } from '@/components/ui/copy-button.tsx'
import { useCopy } from '@/components/ui/use-copy.ts'
import { shareDialogStrings } from '@/lib/strings/share-dialog.ts'

interface CopyFieldProps extends Pick<ComponentProps<typeof CopyButton>, 'look'> {
  readonly text: string
  readonly label: string
}

/** A text to copy. If the clipboard is blocked, it is selected and focused for copying by keyboard. */
export function CopyField({ text, label, look = 'primary' }: CopyFieldProps) {
  const field = useRef<HTMLInputElement>(null)
  const select = () => field.current?.select()
  const { outcome, copy } = useCopy(select)
  const onCopy = () => {
    select()
    void copy(text)
  }
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-2">
        <input
          ref={field}
          readOnly
          aria-label={label}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
          className="h-9 min-w-0 flex-1 rounded-lg border border-edge bg-paper px-3 text-sm text-ellipsis"
        />
        <CopyButton look={look} copied={outcome === 'copied'} onClick={onCopy} className="w-[6.5rem]" />
      </div>
      <output className="text-sm text-muted empty:absolute">
        {outcome === 'selected' && shareDialogStrings.newLink.selected}
        {outcome === 'copied' && <span className="sr-only">{shareDialogStrings.newLink.copied}</span>}
      </output>
    </div>
  )
}
