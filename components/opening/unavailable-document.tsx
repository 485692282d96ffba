'use client'

import { useEffect, useState } from 'react'
import { api, type TrashedEntry } from '@/components/http-api.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { MissingDocument } from '@/components/ui/message-page.tsx'
import { OpeningView } from './opening-view.tsx'

const loadTrashedDocument = () => import('./trashed-document.tsx')

/** Stands in place of a document that is not to be opened: its owner may have it in the trash, for anybody else it is missing. */
export function UnavailableDocument({ id, reopen }: { id: string; reopen: () => void }) {
  const [entry, setEntry] = useState<TrashedEntry | null | 'unknown'>('unknown')
  useEffect(() => {
    api.getTrashed(id).then(setEntry, () => setEntry(null))
  }, [id])
  if (entry === 'unknown') return <OpeningView />
  if (entry === null) return <MissingDocument />
  return (
    <LazyComponent
      load={loadTrashedDocument}
      props={{ entry, reopen }}
      onLoadFailed={() => setEntry(null)}
      fallback={<OpeningView />}
    />
  )
}
