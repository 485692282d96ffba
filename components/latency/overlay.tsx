'use client'

import type { KeyboardEvent } from 'react'
import type { Corner } from '@/lib/desk/settings.ts'
import { latencyFiguresStrings } from '@/lib/strings/latency-figures.ts'
import { useHasColumns } from '@/components/ui/use-has-columns.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { OverlayFigures } from './overlay-figures.tsx'
import { OverlayHead } from './overlay-head.tsx'
import type { OverlayProps } from './overlay-loader.tsx'
import { toggleOverlay, useOverlay } from '@/components/settings/overlay-store.ts'
import { Sparkline } from './sparkline.tsx'
import { useLatency, type LatencyMeasurement } from './use-latency.ts'
import { VerdictMark } from './verdict-mark.tsx'
import { msText } from './latency-text.ts'

// Beside docked panels. Its buttons are next to the screen's edge, so that they do not move when something appears below or above.
const top = 'top-[calc(var(--header-height)+0.5rem)]'
// Above a banner, if there is one; else 0.5 or 1 rem from the edge.
const bottom =
  'bottom-[calc(var(--banner-height,-0.75rem)+1.25rem)] sm:bottom-[calc(var(--banner-height,-0.25rem)+1.25rem)] pt-2 *:first:order-last'
const left = 'left-[calc(var(--dock-left,0px)+0.5rem)] sm:left-[calc(var(--dock-left,0px)+1rem)]'
const right = 'right-[calc(var(--dock-right,0px)+0.5rem)] sm:right-[calc(var(--dock-right,0px)+1rem)]'
const cornerClasses: Readonly<Record<Corner, string>> = {
  'top-left': `${top} ${left}`,
  'top-right': `${top} ${right}`,
  'bottom-right': `${bottom} ${right}`,
  'bottom-left': `${bottom} ${left}`,
}

/** Lies over the text in a corner: it moves nothing, and answers whether editing is quick, and if not, where the time goes. */
export default function Overlay(props: OverlayProps) {
  const measured = useLatency(props.opened, 'window')
  const { corner } = useSettings()
  const hasRoom = useHasColumns()
  const isExpanded = useOverlay((state) => state.isExpanded) ?? hasRoom
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key === 'Escape') toggleOverlay()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it, whatever in it has the focus
    <section
      aria-label={latencyFiguresStrings.overlay}
      data-pane="latency"
      data-screen-only
      onKeyDown={onKeyDown}
      className={`fixed z-20 flex contain-content max-h-[min(30rem,70dvh)] w-[min(20rem,calc(100vw-1rem))] flex-col overflow-hidden rounded-xl border border-line bg-raised text-xs shadow-float ${cornerClasses[corner]}`}
    >
      <OverlayHead
        {...props}
        corner={corner}
        isExpanded={isExpanded}
        isSimulated={measured?.state.simulated ?? false}
      />
      {measured ? (
        <Body
          {...measured}
          isExpanded={isExpanded}
          isUp={props.status.link.state === 'up'}
          switched={props.opened.stats().switches}
        />
      ) : (
        <p className="px-3 pb-2.5 text-muted">{latencyFiguresStrings.loading}</p>
      )}
    </section>
  )
}

interface BodyProps extends LatencyMeasurement {
  readonly isExpanded: boolean
  readonly isUp: boolean
  readonly switched: number
}

function Body({ state, isExpanded, isUp, switched }: BodyProps) {
  const { roundTrip, own, windows, earlier, queue, perKey, reconnects, switches } = state
  const figures = { own, windows, earlier, queue, reconnects, switches, switched, ...(perKey && { perKey }) }
  return (
    <>
      <RoundTrip roundTrip={roundTrip} isUp={isUp} />
      {isExpanded && <OverlayFigures {...figures} base={roundTrip.base} />}
    </>
  )
}

type RoundTripProps = Pick<LatencyMeasurement['state'], 'roundTrip'> & { readonly isUp: boolean }

/** Without a link there is no current round trip: the last one is out of date. */
function RoundTrip({ roundTrip: { now: last, base, history }, isUp }: RoundTripProps) {
  const now = isUp ? last : undefined
  return (
    <p className="flex items-center gap-2 px-3 pb-2 whitespace-nowrap tabular-nums">
      <span className="text-muted">{latencyFiguresStrings.roundTrip.name}</span>
      <span className="text-sm font-semibold">
        {now === undefined ? '–' : latencyFiguresStrings.units.ms(msText(now))}
      </span>
      {base !== undefined && (
        <span className="text-muted">{latencyFiguresStrings.roundTrip.least(msText(base))}</span>
      )}
      <VerdictMark figure="roundTrip" ms={now} base={base} />
      <Sparkline history={history} />
    </p>
  )
}
