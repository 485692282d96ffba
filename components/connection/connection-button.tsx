'use client'

import { Dialog } from '@base-ui/react/dialog'
import type { OpenDocument } from '@/lib/client.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import { buttonClass } from '@/components/ui/button'
import { ConnectionDialog } from './connection-dialog'
import { linkLabel, linkSentence } from './words'

const dots: Record<SteadyStatus['link']['state'], string> = {
  connecting: 'bg-wait',
  up: 'bg-good',
  retrying: 'bg-wait',
  stopped: 'bg-danger',
}

export function ConnectionButton({ opened, status }: { opened: OpenDocument; status: SteadyStatus }) {
  return (
    <Dialog.Root>
      <Dialog.Trigger
        aria-label="Connection"
        aria-describedby="connection-state"
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} max-sm:w-9 sm:min-w-[6.5rem]`}
      >
        <span aria-hidden className={`size-2 shrink-0 rounded-full ${dots[status.link.state]}`} />
        <span className="max-sm:hidden">{linkLabel(status.link)}</span>
        <span id="connection-state" className="sr-only">
          {linkSentence(status.link)}
        </span>
      </Dialog.Trigger>
      <ConnectionDialog opened={opened} status={status} />
    </Dialog.Root>
  )
}
