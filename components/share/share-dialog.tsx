'use client'

import { Dialog } from '@base-ui/react/dialog'
import type { Role } from '@/components/api'
import { Modal } from '@/components/ui/modal'
import type { PopupProps } from '@/components/ui/use-popup'
import { ShareName } from '@/components/profile/share-name'
import { ShareLinks } from './share-links'

export interface ShareDialogProps {
  readonly document: string
  readonly role: Role
}

export default function ShareDialog({ document, role, open, onOpenChange }: ShareDialogProps & PopupProps) {
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal title="Share" description="Anyone with the link can open this document. No account needed.">
        {role === 'owner' ? <Owned document={document} /> : <NotYours />}
      </Modal>
    </Dialog.Root>
  )
}

const Owned = ({ document }: { document: string }) => (
  <div className="flex flex-col gap-5">
    <ShareName />
    <ShareLinks document={document} />
  </div>
)

function NotYours() {
  return (
    <p className="pb-2">Only the owner of this document can make links to it. Ask them to invite others.</p>
  )
}
