'use client'

import {
  ArrowDownLeft,
  ArrowDownRight,
  ArrowUpLeft,
  ArrowUpRight,
  ChevronDown,
  ChevronUp,
  Radio,
  X,
  type LucideIcon,
} from 'lucide-react'
import { corners, type Corner } from '@/lib/desk/settings.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import { pageCommands } from '@/components/commands/command-registry.ts'
import { transportLabel, protocolText } from '@/components/connection/connection-text.ts'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { openNewWindow } from '@/components/windows/open-windows.ts'
import type { OverlayProps } from './overlay-loader.tsx'
import { setExpanded, toggleOverlay } from '@/components/settings/overlay-store.ts'
import { SimulatedBadge } from './simulated-badge.tsx'

interface OverlayHeadProps extends OverlayProps {
  readonly corner: Corner
  readonly isExpanded: boolean
  readonly isSimulated: boolean
}

/** Says how this window is connected, and holds the overlay's controls. */
export function OverlayHead({ id, kind, opened, status, corner, isExpanded, isSimulated }: OverlayHeadProps) {
  const { link } = status
  // Read from the link itself: a shared one may get another leader.
  const info = link.state === 'up' ? (opened.transport ?? link.info) : undefined
  const inspect = () => {
    if (kind === 'text') pageCommands.run('panel:connection')
    else openNewWindow({ document: id, kind: 'connection' })
  }
  return (
    <div className="flex items-start py-1 pr-1 pl-3 *:first:pt-1">
      <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-1.5">
        <span className="truncate text-[0.8125rem] font-semibold">{transportLabel(link)}</span>
        {info && <span className="truncate text-muted">{protocolText(info)}</span>}
        {isSimulated && <SimulatedBadge />}
      </p>
      <CornerButton corner={corner} />
      {kind !== 'connection' && (
        <IconButton small name={latencyFiguresStrings.head.inspect} Icon={Radio} onClick={inspect} />
      )}
      <IconButton
        small
        name={isExpanded ? latencyFiguresStrings.head.less : latencyFiguresStrings.head.more}
        Icon={isExpanded === corner.startsWith('bottom') ? ChevronDown : ChevronUp}
        onClick={() => setExpanded(!isExpanded)}
      />
      <IconButton small name={commonStrings.close} Icon={X} onClick={toggleOverlay} />
    </div>
  )
}

const cornerArrows: Readonly<Record<Corner, LucideIcon>> = {
  'top-left': ArrowUpLeft,
  'top-right': ArrowUpRight,
  'bottom-right': ArrowDownRight,
  'bottom-left': ArrowDownLeft,
}

/** Moves the overlay clockwise from corner to corner; the choice is stored for all windows of the person. */
function CornerButton({ corner }: { corner: Corner }) {
  const next = corners[(corners.indexOf(corner) + 1) % corners.length]!
  return (
    <IconButton
      small
      name={latencyFiguresStrings.head.moveTo[next]}
      Icon={cornerArrows[next]}
      onClick={() => settingsStore.set('corner', next)}
    />
  )
}
