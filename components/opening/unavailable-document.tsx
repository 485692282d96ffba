'use client'

import { useEffect, useState } from 'react'
import { api, ApiRequestError, type TrashedEntry } from '@/components/http-api.ts'
import { MissingDocument } from '@/components/ui/message-page.tsx'
import { NotOpened } from './not-opened.tsx'
import { OpeningView } from './opening-view.tsx'
import { TrashedDocument } from './trashed-document.tsx'
import type { UnavailableProps } from './unavailable-view.tsx'

type Answer = { readonly entry: TrashedEntry } | { readonly error: Error }

/** Its owner may have the document in the trash, for anybody else it is missing. */
export default function UnavailableDocument({ id, reopen }: UnavailableProps) {
  const [answer, setAnswer] = useState<Answer>()
  useEffect(() => {
    api.getTrashed(id).then(
      (entry) => setAnswer({ entry }),
      (error: Error) => setAnswer({ error }),
    )
  }, [id])
  if (!answer) return <OpeningView />
  if ('entry' in answer) return <TrashedDocument entry={answer.entry} reopen={reopen} />
  const { error } = answer
  const isMissing = error instanceof ApiRequestError && error.status === 404
  return isMissing ? <MissingDocument /> : <NotOpened>{error.message}</NotOpened>
}
