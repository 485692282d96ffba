import type { OpenDocument } from '@/lib/client.ts'
import { strings } from '@/lib/strings/inspector.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { OnlyHere } from '@/components/connection/only-here'
import { SharingChoice } from '@/components/connection/sharing-choice'
import { TransportChoices } from '@/components/connection/transport-choices'
import { useSwitch } from '@/components/connection/use-switch'

interface ThisWindowProps {
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
}

export default function ThisWindow({ opened, status }: ThisWindowProps) {
  const switching = useSwitch(opened)
  return (
    <section aria-labelledby="panel-transport" className="flex flex-col gap-3">
      <h3 id="panel-transport" className="text-sm font-semibold">
        {strings.thisWindow}
      </h3>
      <TransportChoices status={status} switching={switching} />
      <OnlyHere choice={status.choice} />
      <SharingChoice opened={opened} />
    </section>
  )
}
