import type { OpenDocument } from '@/lib/client.ts'
import { inspectorStrings } from '@/lib/strings/inspector.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { ThisWindowOnly } from '@/components/connection/this-window-only.tsx'
import { LinkSharingChoice } from '@/components/connection/link-sharing-choice.tsx'
import { useTransportScope } from '@/components/connection/remembered-transport.ts'
import { TransportChoices } from '@/components/connection/transport-choices.tsx'
import { useTransportSwitch } from '@/components/connection/use-transport-switch.ts'

interface ThisWindowProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
}

export default function ThisWindow({ opened, status }: ThisWindowProps) {
  const transportSwitch = useTransportSwitch(opened)
  const { thisWindowOnly } = useTransportScope()
  return (
    <section aria-labelledby="panel-transport" className="flex flex-col gap-3">
      <h3 id="panel-transport" className="text-sm font-semibold">
        {inspectorStrings.transportOf[thisWindowOnly ? 'thisWindow' : 'allWindows']}
      </h3>
      <TransportChoices status={status} transportSwitch={transportSwitch} />
      <ThisWindowOnly choice={status.choice} />
      <LinkSharingChoice opened={opened} />
    </section>
  )
}
