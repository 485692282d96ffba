'use client'

import type { OpenDocument } from '@/lib/client.ts'
import { connectionStrings } from '@/lib/strings/connection.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { usePopup } from '@/components/ui/use-popup.ts'
import type { ConnectionDialogProps } from './connection-dialog.tsx'
import { linkLabel, linkSentence, transportNameOf } from './connection-text.ts'

const dotColours: Record<StableSyncStatus['link']['state'], string> = {
  connecting: 'bg-wait',
  up: 'bg-good',
  retrying: 'bg-wait',
  stopped: 'bg-danger',
}

const loadDialog = () => import('./connection-dialog.tsx')

export function ConnectionButton({ opened, status }: { opened: OpenDocument; status: StableSyncStatus }) {
  const { trigger, Popup, popup } = usePopup<ConnectionDialogProps>('dialog', loadDialog)
  useCommands([
    {
      id: 'connection',
      title: connectionStrings.button.command,
      section: 'View',
      words: connectionStrings.button.commandWords(status.offered.map(transportNameOf)),
      run: trigger.onClick,
    },
  ])
  const isSimulated = status.simulated !== undefined
  return (
    <>
      <button
        {...trigger}
        aria-label={connectionStrings.button.name}
        aria-describedby="connection-state"
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} max-sm:w-9 sm:min-w-[6.5rem]`}
      >
        <span aria-hidden className={`size-2 shrink-0 rounded-full ${dotColours[status.link.state]}`} />
        <span className="max-sm:hidden">{linkLabel(status.link, isSimulated)}</span>
        <span id="connection-state" className="sr-only">
          {linkSentence(status.link, isSimulated)}
        </span>
      </button>
      {Popup && <Popup opened={opened} status={status} {...popup} />}
    </>
  )
}
