'use client'

import { Dialog } from '@base-ui/react/dialog'
import { Modal } from '@/components/ui/modal'
import type { PopupProps } from '@/components/ui/use-popup'
import { ShareLinks } from './share-links'

export interface ShareDialogProps {
  readonly document: string
}

export default function ShareDialog({ document, open, onOpenChange }: ShareDialogProps & PopupProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal title="Share" description="Anyone with the link can open this document. No account needed.">
        <ShareLinks document={document} />
      </Modal>
    </Dialog.Root>
  )
}
