'use client'

import { Tooltip } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'

interface HintProps {
  readonly text: ReactNode
  readonly keys?: string
  /** The thing hinted at. It keeps its own accessible name: a tooltip is for the eye. */
  readonly children: ReactElement
}

export function Hint({ text, keys, children }: HintProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children} />
      <Tooltip.Portal>
        <Tooltip.Positioner sideOffset={6} collisionPadding={8} className="z-50">
          <Tooltip.Popup className="popup-motion flex max-w-72 items-baseline gap-2 rounded-md bg-ink px-2 py-1 text-[0.8125rem] text-paper">
            {text}
            {keys && <kbd className="font-sans text-xs whitespace-nowrap opacity-75">{keys}</kbd>}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
