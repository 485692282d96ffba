'use client'

import { RefreshCw, WifiOff } from 'lucide-react'
import type { OpenDocument } from '@/lib/client.ts'
import { closeEntry, describeClose, type CloseReason } from '@/lib/protocol/close.ts'
import type { SteadyStatus } from '@/lib/sync/status.ts'
import { Button } from '@/components/ui/button'
import { useStatus } from './use-document'

interface LinkBannerProps {
  readonly opened: OpenDocument
  readonly status: SteadyStatus
  readonly cutOff: boolean
}

/** Says that the connection is away, after the grace, over the text and never in its way: nothing moves, typing goes on. */
export function LinkBanner({ opened, status, cutOff }: LinkBannerProps) {
  const over = reasonOfEnd(status)
  if (over) return <Ended reason={over} opened={opened} />
  return cutOff ? <Reconnecting opened={opened} status={status} /> : null
}

function reasonOfEnd({ link, document, refusal }: SteadyStatus): CloseReason | null {
  if (document.state === 'refused') return document.reason
  return link.state === 'stopped' ? link.reason : (refusal ?? null)
}

const card =
  'fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-xl items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-float'

function Reconnecting({ opened, status }: Pick<LinkBannerProps, 'opened' | 'status'>) {
  const { unstored } = useStatus(opened)
  const why = status.link.state === 'retrying' ? status.link.reason : null
  const reason = why ? closeEntry(why.code).sentence : ''
  return (
    <div className={card} data-screen-only>
      <WifiOff size={18} aria-hidden className="shrink-0 text-wait" />
      <p className="flex-1">
        <strong className="font-medium">Reconnecting…</strong> {reason} You can go on writing: changes are
        kept {unstored === 0 ? 'on this device' : 'in this window'} and sent when the connection is back.
      </p>
      {/* Where the server has asked for the wait it is kept (S8). */}
      {!why?.retryAfterMs && (
        <Button shape="small" onClick={opened.tryNow}>
          <RefreshCw size={14} aria-hidden /> Try now
        </Button>
      )}
    </div>
  )
}

function Ended({ reason, opened }: { reason: CloseReason; opened: OpenDocument }) {
  const { unsaved, unstored } = useStatus(opened)
  return (
    <div role="alert" className={card} data-screen-only>
      <WifiOff size={18} aria-hidden className="shrink-0 text-danger" />
      <p className="flex-1">
        <strong className="font-medium">This window can save no more changes.</strong> {describeClose(reason)}
        {unstored > 0 && ' Some of your changes are not saved: copy what you need before you reload.'}
        {unsaved > 0 && unstored === 0 && ' Your latest changes are kept on this device.'}
      </p>
      <Button shape="small" onClick={() => location.reload()}>
        <RefreshCw size={14} aria-hidden /> Reload
      </Button>
    </div>
  )
}
