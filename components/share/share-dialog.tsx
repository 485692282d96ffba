'use client'

import { Dialog } from '@base-ui/react/dialog'
import { reachableAddressesOf } from '@/components/addresses/reachable-addresses.ts'
import { Modal } from '@/components/ui/modal.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { ShareNamePrompt } from '@/components/profile/share-name-prompt.tsx'
import { ShareLinks } from './share-links.tsx'
import { shareDialogStrings } from '@/lib/strings/share-dialog.ts'

export interface ShareDialogProps {
  readonly document: string
}

export default function ShareDialog({ document, open, onOpenChange }: ShareDialogProps & PopupProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal title={shareDialogStrings.dialog.title} description={shareDialogStrings.dialog.hint}>
        <div className="flex flex-col gap-5">
          {reachableAddressesOf(location.origin, []).isLocalOnly && (
            <details className="rounded-lg bg-sunk px-3 py-2 text-sm">
              <summary className="min-h-6 select-none">{shareDialogStrings.dialog.onlyHere}</summary>
              <p className="mt-1 text-muted">{shareDialogStrings.dialog.elsewhere}</p>
            </details>
          )}
          <ShareNamePrompt />
          <ShareLinks document={document} />
        </div>
      </Modal>
    </Dialog.Root>
  )
}
