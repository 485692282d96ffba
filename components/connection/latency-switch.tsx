'use client'

import { Gauge } from 'lucide-react'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { Button } from '@/components/ui/button.tsx'
import { latencyStrings } from '@/lib/strings/latency.ts'
import { toggleOverlay, useOverlay } from '@/components/settings/overlay-store.ts'

/** The same as the header's button, in the dialog about the connection; on a phone it is only here. The inspector needs none. */
export function LatencySwitch({ onSwitch }: { onSwitch: () => void }) {
  const { isShown } = useOverlay()
  if (!pageCommands.list().some(({ id }) => id === 'latency')) return null
  const toggle = () => {
    toggleOverlay()
    onSwitch()
  }
  return (
    <Button shape="small" aria-pressed={isShown} onClick={toggle} className="self-start">
      <Gauge size={15} aria-hidden /> {latencyStrings.switch}
    </Button>
  )
}
