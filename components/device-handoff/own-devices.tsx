'use client'

import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { ownPage } from '@/components/windows/own-page.ts'
import { useOwnWindowEntries } from '@/components/windows/use-own-window-entries.ts'
import { groupByDevice, type DeviceGroup } from '@/components/windows/window-text.ts'
import type { HandoffItem } from './send-dialog-host.tsx'
import { devicesStrings } from '@/lib/strings/devices.ts'

/**
 * The other devices on which this person has a window open. A document is offered there, because no window can open another one by itself.
 */
export function OwnDevices({ item }: { item: HandoffItem }) {
  const devices = groupByDevice(useOwnWindowEntries()).filter(({ sameBrowser }) => !sameBrowser)
  const [offeredTo, setOfferedTo] = useState<readonly string[]>([])
  if (devices.length === 0) return <p className="text-muted">{devicesStrings.ownDevices.empty}</p>
  const onOffer = (device: DeviceGroup) => {
    offerToDevice(device, item)
    setOfferedTo((before) => [...before, device.id])
  }
  return (
    <ul aria-label={devicesStrings.ownDevices.label} className="flex flex-col divide-y divide-line">
      {devices.map((device) => (
        <li key={device.id} className="flex min-h-11 items-center gap-2.5 py-1">
          <MonitorSmartphone size={16} aria-hidden className="shrink-0 text-muted" />
          <span className="min-w-0 flex-1">{device.name}</span>
          <output className="text-muted">
            {offeredTo.includes(device.id) && devicesStrings.ownDevices.offered}
          </output>
          <Button
            shape="small"
            onClick={() => onOffer(device)}
            aria-label={devicesStrings.ownDevices.sendLabel(device.name)}
          >
            {devicesStrings.ownDevices.send}
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** Offers the item in the window that the person used last on that device. */
function offerToDevice({ windows }: DeviceGroup, { document, kind }: HandoffItem): void {
  const [latestWindow] = windows.toSorted((a, b) => b.focusedAt - a.focusedAt)
  const { registry } = ownPage()
  if (latestWindow)
    registry.sendRequest(latestWindow.id, { type: 'open', document, kind, title: registry.own.title })
}
