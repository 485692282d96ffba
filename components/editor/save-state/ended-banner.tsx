'use client'

import { RefreshCw, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import { Button } from '@/components/ui/button.tsx'
import { useStatus } from '@/components/opening/use-document.ts'
import { CopyTextButton } from './copy-text-button.tsx'
import { Banner, type BannerProps } from './banner.tsx'
import type { EndNotice } from './end-notice.ts'
import { saveStateStrings } from '@/lib/strings/save-state.ts'

interface EndedBannerProps extends EndNotice {
  readonly opened: OpenDocument
  /** Says, of text that is safe on the server, that it is. */
  readonly saved?: string
  /** What helps somebody whose text is neither on the server nor on this device. */
  readonly notSaved?: string
  readonly place?: BannerProps['place']
  /** Stands in place of the button that loads the page again. */
  readonly action?: ReactNode
}

/** Says why a window goes no further, whether something in it is unsaved, and what helps. */
export function EndedBanner({
  title,
  sentence,
  opened,
  saved = '',
  notSaved = saveStateStrings.ended.notSaved,
  place,
  action,
}: EndedBannerProps) {
  const { unsaved, unstored } = useStatus(opened)
  const onServerOrDevice = unsaved > 0 ? saveStateStrings.ended.onDevice : saved
  return (
    <Banner role="alert" place={place}>
      <TriangleAlert size={18} aria-hidden className="shrink-0 text-danger" />
      <p className="min-w-48 flex-1">
        <strong className="font-medium">{title}</strong> {sentence}{' '}
        {unstored > 0 ? notSaved : onServerOrDevice}
      </p>
      {unstored > 0 && <CopyTextButton doc={opened.doc} />}
      {action ?? (
        <Button shape="small" onClick={() => location.reload()}>
          <RefreshCw size={14} aria-hidden /> {saveStateStrings.ended.reload}
        </Button>
      )}
    </Banner>
  )
}
