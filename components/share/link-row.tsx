'use client'

import { useState } from 'react'
import type { ShareLink } from '@/components/api'
import { Button } from '@/components/ui/button'
import { RelativeTime } from '@/components/ui/relative-time'
import { CopyField } from './copy-field'

interface RowProps {
  readonly link: ShareLink
  readonly busy: boolean
  readonly onRevoke: () => void
}

/** Revoking shuts people out at once, so it is asked twice, in place. */
export function LinkRow({ link, busy, onRevoke }: RowProps) {
  const [sure, setSure] = useState(false)
  const [shown, setShown] = useState(false)
  const name = link.role === 'editor' ? 'For editing' : 'For reading'
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <span className="flex-1">
        {name}
        <span className="text-muted">
          , made <RelativeTime at={link.createdAt} />
          {link.url === null && '. It works, but cannot be shown again.'}
        </span>
      </span>
      {sure ? (
        <>
          <Button look="quiet" shape="small" onClick={() => setSure(false)}>
            Keep
          </Button>
          <Button look="danger" shape="small" onClick={onRevoke} disabled={busy}>
            Shut out whoever came by it
          </Button>
        </>
      ) : (
        <>
          {link.url !== null && (
            <Button
              look="quiet"
              shape="small"
              onClick={() => setShown(!shown)}
              aria-expanded={shown}
              aria-label={`Show link: ${name}`}
            >
              Show
            </Button>
          )}
          <Button
            look="quiet"
            shape="small"
            onClick={() => setSure(true)}
            aria-label={`Revoke link: ${name}`}
          >
            Revoke
          </Button>
        </>
      )}
      {shown && link.url !== null && (
        <div className="w-full">
          <CopyField text={new URL(link.url, location.origin).href} label={`Link ${name.toLowerCase()}`} />
        </div>
      )}
    </li>
  )
}
