'use client'

import { Dialog } from '@base-ui/react/dialog'
import { ExternalLink } from 'lucide-react'
import { reachableAddressesOf } from '@/components/addresses/reachable-addresses.ts'
import { QrCode } from '@/components/addresses/qr-code.tsx'
import { AddressNote } from '@/components/addresses/address-note.tsx'
import { CopyField } from '@/components/addresses/copy-field.tsx'
import { buttonClass } from '@/components/ui/button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import { slotHashOf } from '@/lib/windows/window-slot.ts'
import { AllowPopupsHelp } from './allow-popups-help.tsx'
import type { BlockedOpening } from './open-windows.ts'
import { windowKindName } from './window-text.ts'
import { windowsDialogStrings } from '@/lib/strings/windows-dialog.ts'

interface BlockedDialogProps {
  readonly blocked: BlockedOpening
  readonly onClose: () => void
}

/** Offers a link, because a clicked link is no popup and browsers allow it. */
export default function BlockedDialog({ blocked: { path, kind, slotId }, onClose }: BlockedDialogProps) {
  const name = windowKindName(kind)
  const reach = reachableAddressesOf(location.origin, [])
  const address = new URL(path, location.origin).href
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Modal
        title={windowsDialogStrings.blocked.title(name)}
        description={windowsDialogStrings.blocked.description}
      >
        <div className="flex flex-col gap-5">
          <a
            href={path + slotHashOf(slotId)}
            target="_blank"
            rel="noopener"
            onClick={onClose}
            className={`${buttonClass({ look: 'primary' })} self-start`}
          >
            <ExternalLink size={16} aria-hidden /> {windowsDialogStrings.blocked.openInTab(name)}
          </a>
          <CopyField text={address} label={windowsDialogStrings.blocked.address(name)} />
          <div className="flex flex-wrap items-center gap-4">
            <QrCode text={address} label={windowsDialogStrings.blocked.code(name)} size={144} />
            <div className="flex min-w-40 flex-1 flex-col gap-2 text-sm">
              {!reach.isLocalOnly && <p className="text-muted">{windowsDialogStrings.blocked.codeHint}</p>}
              <AddressNote addresses={reach} />
            </div>
          </div>
          <AllowPopupsHelp />
        </div>
      </Modal>
    </Dialog.Root>
  )
}
