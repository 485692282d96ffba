'use client'

import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { OpeningView } from './opening-view.tsx'

export interface UnavailableProps {
  readonly id: string
  /** Opens the document once it is there again. */
  readonly reopen: () => void
}

const loadDocument = () => import('./unavailable-document.tsx')

/** Stands in place of a document that is not to be opened. */
export const UnavailableView = (props: UnavailableProps) => (
  <LazyComponent load={loadDocument} props={props} fallback={<OpeningView />} />
)
