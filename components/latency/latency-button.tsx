'use client'

import { Gauge } from 'lucide-react'
import { buttonClass } from '@/components/ui/button.tsx'
import { Hint } from '@/components/ui/hint.tsx'
import { shortcutText } from '@/components/ui/shortcut-text.ts'
import { latencyStrings } from '@/lib/strings/latency.ts'
import { overlayKeys, toggleOverlay, useOverlay } from '@/components/settings/overlay-store.ts'

/** If the header has no room for this button, the dialog "Connection" has a switch. */
export function LatencyButton() {
  const { isShown } = useOverlay()
  return (
    <Hint text={latencyStrings.hint} keys={shortcutText(overlayKeys)}>
      <button
        type="button"
        aria-label={latencyStrings.button}
        aria-pressed={isShown}
        onClick={toggleOverlay}
        className={`${buttonClass({ look: 'quiet', shape: 'icon' })} aria-pressed:bg-sunk aria-pressed:text-ink max-[399px]:hidden`}
      >
        <Gauge size={18} aria-hidden />
      </button>
    </Hint>
  )
}
