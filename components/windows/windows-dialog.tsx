'use client'

import { Dialog } from '@base-ui/react/dialog'
import { useRef } from 'react'
import type { Role } from '@/components/api'
import { sendTo, type Sent } from '@/components/reach/send-to'
import { Modal } from '@/components/ui/modal'
import type { PopupProps } from '@/components/ui/use-popup'
import { KeepOnTop } from '@/components/small-window/keep-on-top'
import { OpenMore } from './open-more'
import { AllScreens } from './all-screens'
import { useRegister, useWindowNames } from './use-register'
import { byDevice } from './words'
import { WindowRow } from './window-row'
import { Workspaces } from './workspaces'
import { strings } from '@/lib/strings/windows-dialog.ts'

export interface WindowsDialogProps {
  /** What this window shows. */
  readonly document: string
  readonly role: Role
  /** What has the keyboard first. */
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
  // One dialog at a time: the other one follows this.
  const send = (what: Omit<Sent, 'role'>) => {
    onOpenChange(false)
    sendTo({ ...what, role })
  }
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Modal
        title={strings.title}
        wide
        {...(startAt && { initialFocus: nameField })}
        description={strings.description}
      >
        <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <OwnWindows document={document} onSend={send} />
          <div className="flex min-w-0 flex-col gap-6">
            <OpenMore document={document} />
            <Workspaces nameField={nameField} onApplied={() => onOpenChange(false)} />
            <AllScreens />
            <KeepOnTop onDone={() => onOpenChange(false)} />
          </div>
        </div>
      </Modal>
    </Dialog.Root>
  )
}

interface OwnWindowsProps {
  readonly document: string
  readonly onSend: (what: Omit<Sent, 'role'>) => void
}

function OwnWindows({ document, onSend }: OwnWindowsProps) {
  const groups = byDevice(useRegister())
  const windowName = useWindowNames()
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {groups.map(({ id, name, windows }) => (
        <section key={id} aria-label={name}>
          <h3 className="text-sm font-semibold">{name}</h3>
          <ul aria-label={strings.list(name)} className="mt-1 divide-y divide-line">
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
