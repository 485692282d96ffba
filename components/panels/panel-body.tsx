'use client'

import { LoaderCircle } from 'lucide-react'
import { memo } from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { Button } from '@/components/ui/button.tsx'
import { ErrorBoundary } from '@/components/ui/error-boundary.tsx'
import { LazyPart } from '@/components/ui/lazy-component.tsx'
import { panels } from './panel-registry.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

/** Another panel in the same place needs another `key`. */
interface PanelBodyProps extends OpenedDocumentProps {
  readonly panel: PanelId
  readonly docked: boolean
}

/** The panel itself, inside any frame: it loads, and fails, alone. */
export const PanelBody = memo(({ panel, id, ...rest }: PanelBodyProps) => (
  <ErrorBoundary renderError={(error, retry) => <BrokenPanel panel={panel} error={error} onRetry={retry} />}>
    <div className="flex min-h-0 flex-1 flex-col scrolls-y" data-panel-body={panel}>
      <LazyPart load={panels[panel].load} props={{ document: id, ...rest }} fallback={<LoadingPanel />} />
    </div>
  </ErrorBoundary>
))

const LoadingPanel = () => (
  <p aria-busy className="flex items-center gap-2 p-4 text-sm text-muted">
    <LoaderCircle size={16} aria-hidden className="animate-spin" /> {panelFramesStrings.loading}
  </p>
)

interface BrokenPanelProps {
  readonly panel: PanelId
  readonly error: unknown
  readonly onRetry: () => void
}

const BrokenPanel = ({ panel, error, onRetry }: BrokenPanelProps) => (
  <div role="alert" className="flex flex-col items-start gap-3 p-4 text-sm">
    <p>
      <strong className="font-medium">{panelFramesStrings.broken.title(panels[panel].name)}</strong>{' '}
      {panelFramesStrings.broken.hint}
    </p>
    {error instanceof Error && <p className="font-mono text-xs break-words text-muted">{error.message}</p>}
    <Button shape="small" onClick={onRetry}>
      {commonStrings.tryAgain}
    </Button>
  </div>
)
