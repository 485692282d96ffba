'use client'

import { HardDrive, RefreshCw, TriangleAlert, WifiOff, type LucideIcon } from 'lucide-react'
import type { OpenDocument } from '@/lib/client.ts'
import { closeSentence, describeWait, type CloseReason } from '@/lib/protocol/close.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import type { OpenedDocumentProps } from '@/components/opening/opened-document.ts'
import { Button } from '@/components/ui/button.tsx'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { endNoticeOf } from './end-notice.ts'
import { Banner } from './banner.tsx'
import { EndedBanner } from './ended-banner.tsx'
import { useStatus } from '@/components/opening/use-document.ts'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

interface ConnectionBannerProps extends OpenedDocumentProps {
  readonly isDisconnected: boolean
}

const loadLostDocumentBanner = () => import('./lost-document-banner.tsx')

/**
 * Says, after the grace period, that the server accepts no edits for now, or that it accepts none any more. It lies over the text and moves
 * nothing.
 */
export function ConnectionBanner({ isDisconnected, ...document }: ConnectionBannerProps) {
  const { opened, status } = document
  const end = endNoticeOf(status)
  const endedBanner = end && <EndedBanner {...end} opened={opened} />
  if (isLost(status))
    return <LazyComponent load={loadLostDocumentBanner} props={document} fallback={endedBanner} />
  if (endedBanner) return endedBanner
  const { setAside } = status
  if (isDisconnected)
    return (
      <WaitingBanner title={disconnectedTitle(status)} canTryNow={isClientBackoff(status)} opened={opened} />
    )
  return setAside ? <WaitingBanner {...waitNotice(setAside)} opened={opened} /> : null
}

/** What the server says of space that is full is whole by itself. */
const waitNotice = (reason: CloseReason) =>
  reason.code === 'full'
    ? { Icon: HardDrive, sentence: describeWait(reason) }
    : { Icon: TriangleAlert, title: saveStateStrings.waiting.title, sentence: describeWait(reason) }

const isLost = ({ document }: StableSyncStatus): boolean =>
  document.state === 'refused' && document.reason.code === 'forbidden'

/** A wait that the server has asked for is always kept (S8). */
const isClientBackoff = ({ link }: StableSyncStatus): boolean =>
  link.state !== 'retrying' || !link.reason.retryAfterMs

/** The title names a server that is busy or shutting down. For any other lost connection, a writer need only know that there is no link. */
function disconnectedTitle({ link }: StableSyncStatus): string {
  const code = link.state === 'retrying' ? link.reason.code : undefined
  return code === 'going-away' || code === 'overloaded'
    ? closeSentence(code)
    : saveStateStrings.waiting.offline
}

interface WaitingBannerProps {
  readonly Icon?: LucideIcon
  readonly title?: string
  readonly sentence?: string
  readonly canTryNow?: boolean
  readonly opened: OpenDocument
}

function WaitingBanner({ Icon = WifiOff, title, sentence, canTryNow = false, opened }: WaitingBannerProps) {
  const { unstored, isDeviceWritable } = useStatus(opened)
  const isOnDevice = unstored === 0 || isDeviceWritable
  return (
    <Banner>
      <Icon size={18} aria-hidden className="shrink-0 text-wait" />
      <p className="min-w-0 flex-1">
        <strong className="font-medium">{title}</strong> {sentence}{' '}
        {isOnDevice ? saveStateStrings.waiting.keptOnDevice : saveStateStrings.waiting.keptInWindow}
      </p>
      {canTryNow && (
        <Button shape="small" onClick={opened.tryNow}>
          <RefreshCw size={14} aria-hidden /> {saveStateStrings.waiting.tryNow}
        </Button>
      )}
    </Banner>
  )
}
