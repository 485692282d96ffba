'use client'

import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { api, ApiRequestError } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage, MissingDocument } from '@/components/ui/message-page.tsx'
import { redeemedLinkKey } from '@/components/profile/redeemed-link.ts'
import { OpeningView } from './opening-view.tsx'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/opening.ts'

const readTokenInAddress = (): string | null => new URLSearchParams(location.hash.slice(1)).get('token')

/** Removes the token from the address as soon as it is redeemed or refused, so that nobody copies, bookmarks or photographs it (A3). */
function removeTokenFromAddress(): void {
  history.replaceState(history.state, '', location.pathname + location.search)
}

function useTokenInAddress(): [string | null, () => void] {
  const [token, setToken] = useState(readTokenInAddress)
  useEffect(() => {
    const onHashChange = () => setToken((previous) => readTokenInAddress() ?? previous)
    addEventListener('hashchange', onHashChange)
    return () => removeEventListener('hashchange', onHashChange)
  }, [])
  return [token, () => setToken(null)]
}

/** Redeems a share link first; the document opens behind it. */
export function RedeemGate({ document, children }: { document: string; children: ReactNode }) {
  const [token, forgetToken] = useTokenInAddress()
  if (token === null) return children
  return <RedeemLink key={token} document={document} token={token} onDone={forgetToken} />
}

interface RedeemLinkProps {
  readonly document: string
  readonly token: string
  readonly onDone: () => void
}

function RedeemLink({ document, token, onDone }: RedeemLinkProps) {
  const client = useQueryClient()
  // A query, although it writes: redeeming is idempotent, and strict mode mounts twice.
  const { data, isSuccess, error, refetch, isRefetching } = useQuery({
    queryKey: ['redeem', document, token],
    queryFn: () => api.redeemShareLink(document, token),
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  const isRefused = error instanceof ApiRequestError && [400, 403, 404].includes(error.status)
  useEffect(() => {
    if (isSuccess || isRefused) removeTokenFromAddress()
  }, [isSuccess, isRefused])
  useEffect(() => {
    if (!data) return
    client.setQueryData(redeemedLinkKey(document), data)
    void client.invalidateQueries({ queryKey: ['documents'] })
    onDone()
  }, [data, client, document, onDone])
  if (!error) return <OpeningView />
  if (isRefused) return <MissingDocument />
  return <RedeemFailed message={error.message} busy={isRefetching} onRetry={() => void refetch()} />
}

function RedeemFailed({ message, busy, onRetry }: { message: string; busy: boolean; onRetry: () => void }) {
  const retryButton = (
    <Button look="primary" onClick={onRetry} disabled={busy}>
      {common.tryAgain}
    </Button>
  )
  return (
    <MessagePage title={strings.link.failed} actions={retryButton}>
      {strings.link.hint(message)}
    </MessagePage>
  )
}
