'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useState, type ReactNode } from 'react'
import { panelPath } from '@/lib/windows/panels.ts'
import { CopyField } from '@/components/addresses/copy-field.tsx'
import { ShareButton } from '@/components/share/share-button.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import { DeviceCode } from './device-code.tsx'
import { OwnDevices } from './own-devices.tsx'
import type { HandoffItem } from './send-dialog-host.tsx'
import { devicesStrings } from '@/lib/strings/devices.ts'

/** Offers the ways to open a panel or the text on another device. */
export default function SendDialog({ item, onClose }: { item: HandoffItem; onClose: () => void }) {
  const { document, kind, name, role } = item
  const [open, setOpen] = useState(true)
  const path = kind === 'text' ? `/d/${document}` : panelPath(document, kind)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={devicesStrings.sendDialog.title(name)}>
        <div className="flex flex-col gap-5 text-sm">
          <SendMethod name={devicesStrings.sendDialog.ownDevice}>
            <OwnDevices item={item} />
          </SendMethod>
          <SendMethod name={devicesStrings.sendDialog.newDevice}>
            <DeviceCode path={path} name={name} />
          </SendMethod>
          {role === 'owner' && (
            <SendMethod name={devicesStrings.sendDialog.somebodyElse}>
              <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
                <p className="min-w-48 flex-1">{devicesStrings.sendDialog.somebodyElseHint}</p>
                <ShareButton document={document} look="plain" />
              </div>
            </SendMethod>
          )}
          <SendMethod name={devicesStrings.sendDialog.address}>
            <CopyField
              text={location.origin + path}
              label={devicesStrings.sendDialog.addressLabel(name)}
              look="plain"
            />
            <p className="text-muted">{devicesStrings.sendDialog.addressHint}</p>
          </SendMethod>
        </div>
      </Modal>
    </Dialog.Root>
  )
}

const SendMethod = ({ name, children }: { name: string; children: ReactNode }) => (
  <section aria-label={name} className="flex flex-col gap-2">
    <h3 className="font-semibold">{name}</h3>
    {children}
  </section>
)
