'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import type { Role } from '@/components/http-api.ts'
import { openSendDialog, type HandoffItem } from '@/components/device-handoff/send-dialog-host.tsx'
import { Modal } from '@/components/ui/modal.tsx'
import type { PopupProps } from '@/components/ui/use-popup.ts'
import { SmallWindowOffer } from '@/components/small-window/small-window-offer.tsx'
import { OpenMoreWindows } from './open-more-windows.tsx'
import { AllScreensSetting } from './all-screens-setting.tsx'
import { useOwnWindowEntries, useWindowNames } from '@/components/windows/use-own-window-entries.ts'
import { groupByDevice } from '@/components/windows/window-text.ts'
import { WindowRow } from './window-row.tsx'
import { WorkspacesSection } from './workspaces-section.tsx'
import { windowsDialogStrings } from '@/lib/strings/windows-dialog.ts'

export interface WindowsDialogProps {
  /** The document of this window. */
  readonly document: string
  readonly role: Role
  /** What gets the focus first. */
  readonly startAt: 'workspaces' | null
}

export default function WindowsDialog({
  document,
  role,
  startAt,
  open,
  onOpenChange,
}: WindowsDialogProps & PopupProps) {
  const nameField = useRef<HTMLInputElement>(null)
  // One dialog at a time: the other one opens after this one.
  const send = (sentWindow: Omit<HandoffItem, 'role'>) => {
    onOpenChange(false)
    openSendDialog({ ...sentWindow, role })
  }
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal
        title={windowsDialogStrings.title}
        wide
        {...(startAt && { initialFocus: nameField })}
        description={windowsDialogStrings.description}
      >
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <WindowsByDevice document={document} onSend={send} />
          <div className="flex min-w-0 flex-col gap-6">
            <OpenMoreWindows document={document} />
            <WorkspacesSection nameField={nameField} onApplied={() => onOpenChange(false)} />
            <AllScreensSetting />
            <SmallWindowOffer onDone={() => onOpenChange(false)} />
          </div>
        </div>
      </Modal>
    </Dialog.Root>
  )
}

interface WindowsByDeviceProps {
  readonly document: string
  readonly onSend: (sentWindow: Omit<HandoffItem, 'role'>) => void
}

function WindowsByDevice({ document, onSend }: WindowsByDeviceProps) {
  const groups = groupByDevice(useOwnWindowEntries())
  const windowName = useWindowNames()
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {groups.map(({ id, name, windows }) => (
        <section key={id} aria-label={name}>
          <h3 className="text-sm font-semibold">{name}</h3>
          <ul aria-label={windowsDialogStrings.list(name)} className="mt-1 divide-y divide-line">
            {windows.map((entry) => (
              <WindowRow
                key={entry.id}
                entry={entry}
                name={windowName(entry)}
                {...(entry.document === document && { onSend })}
              />
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
