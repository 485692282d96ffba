'use client'

import { useState } from 'react'
import type { ShareLink } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { RelativeTime } from '@/components/ui/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { CopyField } from './copy-field.tsx'
import { strings } from '@/lib/strings/share-dialog.ts'

interface ShareLinkRowProps {
  readonly link: ShareLink
  readonly busy: boolean
  readonly onRevoke: () => void
}

/** Revoking a link shuts people out at once, so the row asks for confirmation in place. */
export function ShareLinkRow({ link, busy, onRevoke }: ShareLinkRowProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const [isShown, setIsShown] = useState(false)
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <span className="flex-1 text-muted">
        <Sentence
          parts={strings.links[link.url === null ? 'notShownAgain' : 'created'](
            <span className="text-ink">{strings.links.name[link.role]}</span>,
            <RelativeTime at={link.createdAt} />,
          )}
        />
      </span>
      {isConfirming ? (
        <>
          <Button look="quiet" shape="small" onClick={() => setIsConfirming(false)}>
            {strings.links.keep}
          </Button>
          <Button look="danger" shape="small" onClick={onRevoke} disabled={busy}>
            {strings.links.confirm}
          </Button>
        </>
      ) : (
        <>
          {link.url !== null && (
            <Button
              look="quiet"
              shape="small"
              onClick={() => setIsShown(!isShown)}
              aria-expanded={isShown}
              aria-label={strings.links.showLabel[link.role]}
            >
              {strings.links.show}
            </Button>
          )}
          <Button
            look="quiet"
            shape="small"
            onClick={() => setIsConfirming(true)}
            aria-label={strings.links.revokeLabel[link.role]}
          >
            {strings.links.revoke}
          </Button>
        </>
      )}
      {isShown && link.url !== null && (
        <div className="w-full">
          <CopyField text={new URL(link.url, location.origin).href} label={strings.links.name[link.role]} />
        </div>
      )}
    </li>
  )
}
