'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { api, ApiError } from '@/components/api'
import { Button } from '@/components/ui/button'
import { Face, MissingDocument } from '@/components/ui/face'
import { arrivalKey } from '@/components/profile/arrival'
import { OpeningFace } from './opening-face'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/opening.ts'

const tokenInAddress = (): string | null => new URLSearchParams(location.hash.slice(1)).get('token')

/** The token leaves the address as soon as it is redeemed or refused, so that it is not copied, bookmarked or photographed along (A3). */
function clearAddress(): void {
  history.replaceState(history.state, '', location.pathname + location.search)
}

function useToken(): [string | null, () => void] {
  const [token, setToken] = useState(tokenInAddress)
  useEffect(() => {
    const read = () => setToken((before) => tokenInAddress() ?? before)
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return [token, () => setToken(null)]
}

/** Whoever comes by a link is let in first; the document opens behind it. */
export function Entrance({ document, children }: { document: string; children: ReactNode }) {
  const [token, done] = useToken()
  if (token === null) return children
  return <Redeem key={token} document={document} token={token} onDone={done} />
}

interface RedeemProps {
  readonly document: string
  readonly token: string
  readonly onDone: () => void
}

function Redeem({ document, token, onDone }: RedeemProps) {
  const client = useQueryClient()
  // A query, although it writes: redeeming twice is redeeming once, and strict mode mounts twice.
  const { data, isSuccess, error, refetch, isRefetching } = useQuery({
    queryKey: ['redeem', document, token],
    queryFn: () => api.redeem(document, token),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const refused = error instanceof ApiError && [400, 403, 404].includes(error.status)
  useEffect(() => {
    if (isSuccess || refused) clearAddress()
  }, [isSuccess, refused])
  useEffect(() => {
    if (!data) return
    client.setQueryData(arrivalKey(document), data)
    void client.invalidateQueries({ queryKey: ['documents'] })
    onDone()
  }, [data, client, document, onDone])
  if (!error) return <OpeningFace />
  if (refused) return <MissingDocument />
  return <NotReached message={error.message} busy={isRefetching} retry={() => void refetch()} />
}

function NotReached({ message, busy, retry }: { message: string; busy: boolean; retry: () => void }) {
  const again = (
    <Button look="primary" onClick={retry} disabled={busy}>
      {common.tryAgain}
    </Button>
  )
  return (
    <Face title={strings.link.failed} actions={again}>
      {strings.link.hint(message)}
    </Face>
  )
}
