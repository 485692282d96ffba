'use client'

import { Gauge } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { toggleOverlay, useOverlay } from './overlay-store'

/** The same as the header's button, where one looks at the connection anyway; a phone has it here alone. */
export function LatencySwitch({ onSwitch }: { onSwitch: () => void }) {
  const { isShown } = useOverlay()
  const toggle = () => {
    toggleOverlay()
    onSwitch()
  }
  return (
    <Button shape="small" aria-pressed={isShown} onClick={toggle} className="self-start">
      <Gauge size={15} aria-hidden /> Latency overlay
    </Button>
  )
}
