'use client'

import { LoaderCircle } from 'lucide-react'
import {
  PureComponent,
  lazy,
  Suspense,
  type ComponentType,
  type LazyExoticComponent,
  type ReactNode,
} from 'react'
import type { PanelId } from '@/lib/windows/panels.ts'
import type { OpenedDocumentProps } from '@/components/opening/document-opening.tsx'
import { Button } from '@/components/ui/button.tsx'
import type { PanelProps } from './panel-props.ts'
import { panels } from './panel-registry.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

/** Another panel in the same place needs another `key`. */
interface PanelBodyProps extends OpenedDocumentProps {
  readonly panel: PanelId
  readonly docked: boolean
}

const lazyPanel = (panel: PanelId) => lazy(() => panels[panel].load())

interface PanelBodyState {
  readonly error: unknown
  readonly Panel: LazyExoticComponent<ComponentType<PanelProps>>
}

/** The panel itself, inside any frame: it loads, and fails, alone. A class, because React has no function component that catches errors. */
export class PanelBody extends PureComponent<PanelBodyProps, PanelBodyState> {
  override state: PanelBodyState = { error: null, Panel: lazyPanel(this.props.panel) }

  static getDerivedStateFromError(error: unknown): Partial<PanelBodyState> {
    return { error }
  }

  override render(): ReactNode {
    const { panel, id, ...rest } = this.props
    const { error, Panel } = this.state
    if (error !== null) return <BrokenPanel panel={panel} error={error} onRetry={() => this.#retry()} />
    return (
      <Suspense fallback={<LoadingPanel />}>
        <div className="flex min-h-0 flex-1 flex-col scrolls-y" data-panel-body={panel}>
          <Panel document={id} {...rest} />
        </div>
      </Suspense>
    )
  }

  /** React remembers a chunk that failed to load, so a retry requests it again. */
  #retry(): void {
    this.setState({ error: null, Panel: lazyPanel(this.props.panel) })
  }
}

const LoadingPanel = () => (
  <p className="flex items-center gap-2 p-4 text-sm text-muted">
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
