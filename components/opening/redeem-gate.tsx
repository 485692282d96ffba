'use client'

import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { api, ApiRequestError } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { setRedeemedLink } from '@/components/profile/redeemed-link.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { OpeningView } from './opening-view.tsx'
import { UnavailableView } from './unavailable-view.tsx'
import { commonStrings } from '@/lib/strings/common.ts'
import { openingStrings } from '@/lib/strings/opening.ts'

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
  // A failure stays on screen while the request is repeated.
  const [failure, setFailure] = useState<Error>()
  const { run, state } = useRequest(() =>
    api.redeemShareLink(document, token).catch((error: Error) => {
      setFailure(error)
      throw error
    }),
  )
  const isRefused = failure instanceof ApiRequestError && [400, 403, 404].includes(failure.status)
  const redeem = async () => {
    const link = await run(undefined)
    if (!link) return
    removeTokenFromAddress()
    setRedeemedLink(document, link)
    onDone()
  }
  const onMounted = useEffectEvent(redeem)
  // Redeeming is idempotent, and strict mode mounts twice.
  useEffect(() => void onMounted(), [])
  useEffect(() => {
    if (isRefused) removeTokenFromAddress()
  }, [isRefused])
  if (!failure) return <OpeningView />
  if (isRefused) return <UnavailableView id={document} reopen={() => location.reload()} />
  const onRetry = () => void redeem()
  return <RedeemFailed message={failure.message} busy={state === 'pending'} onRetry={onRetry} />
}

function RedeemFailed({ message, busy, onRetry }: { message: string; busy: boolean; onRetry: () => void }) {
  const retryButton = (
    <Button look="primary" onClick={onRetry} disabled={busy}>
      {commonStrings.tryAgain}
    </Button>
  )
  return (
    <MessagePage title={openingStrings.link.failed} actions={retryButton}>
      {openingStrings.link.hint(message)}
    </MessagePage>
  )
}
