'use client'

import { Dialog } from '@base-ui/react/dialog'
import { Modal } from '@/components/ui/modal'
import type { PopupProps } from '@/components/ui/use-popup'
import { ShareName } from '@/components/profile/share-name'
import { ShareLinks } from './share-links'

export interface ShareDialogProps {
  readonly document: string
}

export default function ShareDialog({ document, open, onOpenChange }: ShareDialogProps & PopupProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal title="Share" description="Anyone with the link can open this document. No account needed.">
        <div className="flex flex-col gap-5">
          <ShareName />
          <ShareLinks document={document} />
        </div>
      </Modal>
    </Dialog.Root>
  )
}
