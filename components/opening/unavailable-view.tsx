'use client'

import { useState } from 'react'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { NotOpened } from './not-opened.tsx'
import { OpeningView } from './opening-view.tsx'
import { uiStrings } from '@/lib/strings/ui.ts'

export interface UnavailableProps {
  readonly id: string
  /** Opens the document once it is there again. */
  readonly reopen: () => void
}

const loadDocument = () => import('./unavailable-document.tsx')

/** Stands in place of a document that is not to be opened. */
export function UnavailableView(props: UnavailableProps) {
  const [hasFailed, setFailed] = useState(false)
  if (hasFailed) return <NotOpened>{uiStrings.notLoaded}</NotOpened>
  const onLoadFailed = () => setFailed(true)
  return (
    <LazyComponent load={loadDocument} props={props} onLoadFailed={onLoadFailed} fallback={<OpeningView />} />
  )
}
