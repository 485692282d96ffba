'use client'

import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { shareDialogStrings } from '@/lib/strings/share-dialog.ts'

interface RowConfirmationProps {
  /** What each choice does. */
  readonly text: string
  readonly onKeep: () => void
  /** The buttons of the choices. */
  readonly children: ReactNode
}

/** Shutting people out takes effect at once, so a row asks in place. */
export function RowConfirmation({ text, onKeep, children }: RowConfirmationProps) {
  return (
    <div className="flex w-full flex-wrap justify-end gap-2 rounded-lg bg-sunk p-3">
      <p className="w-full text-muted">{text}</p>
      <Button look="quiet" shape="small" onClick={onKeep}>
        {shareDialogStrings.keep}
      </Button>
      {children}
    </div>
  )
}
