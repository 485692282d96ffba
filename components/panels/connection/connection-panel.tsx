'use client'

import { Evidence } from '@/components/connection/evidence'
import { InUse } from '@/components/connection/in-use'
import { OfflineNote } from '@/components/connection/offline-note'
import { OnlyHere } from '@/components/connection/only-here'
import { SharingChoice } from '@/components/connection/sharing-choice'
import { TransportChoices } from '@/components/connection/transport-choices'
import { useSwitch } from '@/components/connection/use-switch'
import type { PanelProps } from '@/components/panels/panel'
import { Counters } from './counters'
import { OwnWindows } from './own-windows'

export default function ConnectionPanel({ opened, status }: PanelProps) {
  const switching = useSwitch(opened)
  return (
    <div className="@container mx-auto w-full max-w-6xl p-4">
      <div className="grid gap-x-8 gap-y-6 @2xl:grid-cols-2">
        <div className="flex flex-col gap-6">
          <InUse opened={opened} status={status} />
          <Counters opened={opened} />
          <Evidence evidence={status.evidence} />
          <OfflineNote />
        </div>
        <section aria-labelledby="panel-transport" className="flex flex-col gap-3">
          <h3 id="panel-transport" className="text-sm font-semibold">
            Transport of this window
          </h3>
          <TransportChoices status={status} switching={switching} />
          <OnlyHere choice={status.choice} />
          <SharingChoice opened={opened} />
        </section>
        <OwnWindows />
      </div>
    </div>
  )
}
