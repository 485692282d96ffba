'use client'

import { Dialog } from '@base-ui/react/dialog'
import { UserPlus } from 'lucide-react'
import type { Role } from '@/components/api'
import { buttonClass } from '@/components/ui/button'
import { Modal } from '@/components/ui/modal'
import { ShareLinks } from './share-links'

export function ShareButton({ document, role }: { document: string; role: Role }) {
  return (
    <Dialog.Root>
      <Dialog.Trigger
        aria-label="Share"
        className={`${buttonClass({ look: 'primary', shape: 'small' })} max-sm:w-9 max-sm:px-0`}
      >
        <UserPlus size={16} aria-hidden />
        <span className="max-sm:hidden">Share</span>
      </Dialog.Trigger>
      <Modal title="Share" description="Whoever opens a link gets in, without an account.">
        {role === 'owner' ? <ShareLinks document={document} /> : <NotYours />}
      </Modal>
    </Dialog.Root>
  )
}

function NotYours() {
  return (
    <p className="pb-2">Only the owner of this document can make links to it. Ask them to invite others.</p>
  )
}
