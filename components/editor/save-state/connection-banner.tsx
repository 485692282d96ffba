'use client'

import { RefreshCw, TriangleAlert, WifiOff } from 'lucide-react'
import type { OpenDocument } from '@/lib/client.ts'
import { closeSentence, describeWait } from '@/lib/protocol/close.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { Role } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { CopyTextButton } from './copy-text-button.tsx'
import { type EndNotice, endNoticeOf } from './end-notice.ts'
import { useStatus } from '../use-document.ts'
import { strings } from '@/lib/strings/save-state.ts'

interface ConnectionBannerProps {
  readonly opened: OpenDocument
  readonly role: Role
  readonly status: StableSyncStatus
  readonly isDisconnected: boolean
}

/**
 * Says, after the grace period, that the server accepts no edits for now, or that it accepts none any more. It lies over the text and moves
 * nothing.
 */
export function ConnectionBanner({ opened, role, status, isDisconnected }: ConnectionBannerProps) {
  const end = endNoticeOf(status, role)
  if (end) return <EndedBanner {...end} opened={opened} />
  const { setAside } = status
  if (isDisconnected)
    return (
      <WaitingBanner title={disconnectedTitle(status)} canTryNow={isClientBackoff(status)} opened={opened} />
    )
  return setAside ? (
    <WaitingBanner
      title={setAside.code === 'full' ? strings.waiting.full : strings.waiting.title}
      sentence={describeWait(setAside)}
      opened={opened}
    />
  ) : null
}

/** A wait that the server has asked for is always kept (S8). */
const isClientBackoff = ({ link }: StableSyncStatus): boolean =>
  link.state !== 'retrying' || !link.reason.retryAfterMs

/** The title names a server that is busy or shutting down. For any other lost connection, a writer need only know that there is no link. */
function disconnectedTitle({ link }: StableSyncStatus): string {
  const code = link.state === 'retrying' ? link.reason.code : undefined
  return code === 'going-away' || code === 'overloaded' ? closeSentence(code) : strings.waiting.offline
}

const bannerClass =
  'fixed inset-x-3 bottom-3 z-30 mx-auto flex max-w-xl flex-wrap items-center gap-3 rounded-xl border border-line bg-raised px-4 py-3 text-sm shadow-float'

interface EndedBannerProps extends EndNotice {
  readonly opened: OpenDocument
}

interface WaitingBannerProps {
  readonly title: string
  readonly sentence?: string
  readonly canTryNow?: boolean
  readonly opened: OpenDocument
}

function WaitingBanner({ title, sentence = '', canTryNow = false, opened }: WaitingBannerProps) {
  const { unstored, isDeviceWritable } = useStatus(opened)
  const isOnDevice = unstored === 0 || isDeviceWritable
  return (
    <div className={bannerClass} data-screen-only>
      <WifiOff size={18} aria-hidden className="shrink-0 text-wait" />
      <p className="min-w-0 flex-1">
        <strong className="font-medium">{title}</strong> {sentence}{' '}
        {isOnDevice ? strings.waiting.keptOnDevice : strings.waiting.keptInWindow}
      </p>
      {canTryNow && (
        <Button shape="small" onClick={opened.tryNow}>
          <RefreshCw size={14} aria-hidden /> {strings.waiting.tryNow}
        </Button>
      )}
    </div>
  )
}

function EndedBanner({ title, sentence, reload, opened }: EndedBannerProps) {
  const { unsaved, unstored } = useStatus(opened)
  return (
    <div role="alert" className={bannerClass} data-screen-only>
      <TriangleAlert size={18} aria-hidden className="shrink-0 text-danger" />
      <p className="min-w-48 flex-1">
        <strong className="font-medium">{title}</strong> {sentence}
        {unstored > 0 && ` ${strings.ended.notSaved}`}
        {unsaved > 0 && unstored === 0 && ` ${strings.ended.onDevice}`}
      </p>
      {unstored > 0 && <CopyTextButton doc={opened.doc} />}
      <Button shape="small" onClick={() => location.reload()}>
        <RefreshCw size={14} aria-hidden /> {reload}
      </Button>
    </div>
  )
}
