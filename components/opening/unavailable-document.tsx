'use client'

import { useEffect, useState } from 'react'
import { api, type TrashedEntry } from '@/components/http-api.ts'
import { MissingDocument } from '@/components/ui/message-page.tsx'
import { OpeningView } from './opening-view.tsx'
import { TrashedDocument } from './trashed-document.tsx'
import type { UnavailableProps } from './unavailable-view.tsx'

/** Its owner may have the document in the trash, for anybody else it is missing. */
export default function UnavailableDocument({ id, reopen }: UnavailableProps) {
  const [entry, setEntry] = useState<TrashedEntry | null | 'unknown'>('unknown')
  useEffect(() => {
    api.getTrashed(id).then(setEntry, () => setEntry(null))
  }, [id])
  if (entry === 'unknown') return <OpeningView />
  return entry ? <TrashedDocument entry={entry} reopen={reopen} /> : <MissingDocument />
}
