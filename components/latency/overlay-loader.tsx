'use client'

import type { OpenDocument } from '@/lib/client.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { latencyStrings } from '@/lib/strings/latency.ts'
import type { WindowKind } from '@/lib/windows/window-state.ts'
import { useCommands } from '@/components/commands/use-commands.ts'
import { ErrorBoundary } from '@/components/ui/error-boundary.tsx'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { overlayKeys, toggleOverlay, useOverlay } from '@/components/settings/overlay-store.ts'

const load = () => import('./overlay.tsx')

export interface OverlayProps {
  readonly id: string
  readonly kind: WindowKind
  readonly opened: OpenDocument
  readonly status: StableSyncStatus
}

/** Renders nothing over the inspector: it would cover figures that are the same, and more. */
export const OverlayLoader = (props: OverlayProps) =>
  props.kind !== 'connection' && <LazyOverlay {...props} />

/** The command that shows the overlay, and the overlay while it is shown. Until then none of its code is loaded. */
function LazyOverlay(props: OverlayProps) {
  const { isShown } = useOverlay()
  useCommands([
    {
      id: 'latency',
      title: isShown ? latencyStrings.command.hide : latencyStrings.command.show,
      section: 'View',
      keys: overlayKeys,
      words: latencyStrings.command.words,
      run: toggleOverlay,
    },
  ])
  if (!isShown) return null
  return (
    <ErrorBoundary renderError={() => null}>
      <LazyComponent load={load} props={props} onLoadFailed={toggleOverlay} />
    </ErrorBoundary>
  )
}
