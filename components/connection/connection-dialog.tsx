'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { connectionDialogStrings } from '@/lib/strings/connection-dialog.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { LatencySwitch } from './latency-switch.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { EvidenceList } from './evidence-list.tsx'
import { LinkInUse } from './link-in-use.tsx'
import { OfflineRefusedNote } from './offline-refused-note.tsx'
import { ThisWindowOnly } from './this-window-only.tsx'
import { LinkSharingChoice } from './link-sharing-choice.tsx'
import { useTransportScope } from './remembered-transport.ts'
import { TransportChoices } from './transport-choices.tsx'
import { useTransportSwitch } from './use-transport-switch.ts'

export interface ConnectionDialogProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
}

export default function ConnectionDialog({
  opened,
  status,
  open,
  onOpenChange,
}: ConnectionDialogProps & PopupProps) {
  // The hook is here, not in the form: a switch continues while the dialog is closed, and its result is shown when the dialog opens again.
  const transportSwitch = useTransportSwitch(opened)
  // What is typed on while the dialog opens then changes nothing: a space chooses what is chosen already, and would close it on Close.
  const chosenRadio = useRef<HTMLElement>(null)
  const { thisWindowOnly } = useTransportScope()
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal
        title={connectionDialogStrings.title}
        wide
        description={connectionDialogStrings.description[thisWindowOnly ? 'thisWindow' : 'allWindows']}
        initialFocus={chosenRadio}
      >
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-2">
          <div className="flex flex-col gap-3">
            <TransportChoices status={status} transportSwitch={transportSwitch} chosenRadio={chosenRadio} />
            <ThisWindowOnly choice={status.choice} />
            <LinkSharingChoice opened={opened} />
          </div>
          <div className="flex flex-col gap-6">
            <LinkInUse opened={opened} status={status} />
            <LatencySwitch onSwitch={() => onOpenChange(false)} />
            <EvidenceList evidence={status.evidence} />
            <OfflineRefusedNote />
          </div>
        </div>
      </Modal>
    </Dialog.Root>
  )
}
