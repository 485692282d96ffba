'use client'

import { type MouseEvent, useRef, useState } from 'react'
import type { ShareLink } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { CopyField } from '@/components/addresses/copy-field.tsx'
import { RowConfirmation } from './row-confirmation.tsx'
import { shareDialogStrings } from '@/lib/strings/share-dialog.ts'

interface ShareLinkRowProps {
  readonly link: ShareLink
  readonly busy: boolean
  readonly onSetOpen: (open: boolean) => void
  readonly onRevoke: (row: Element | null) => void
}

export function ShareLinkRow({ link, busy, onSetOpen, onRevoke }: ShareLinkRowProps) {
  const [shown, setShown] = useState<'address' | 'choices' | null>(null)
  const revokeButton = useRef<HTMLButtonElement>(null)
  const { role, url, open } = link
  const toggle = (part: 'address' | 'choices') => setShown(shown === part ? null : part)
  const closeChoices = () => {
    setShown(null)
    revokeButton.current?.focus()
  }
  const setOpen = (isOpen: boolean) => {
    if (busy) return
    onSetOpen(isOpen)
    closeChoices()
  }
  const revoke = ({ currentTarget }: MouseEvent) => busy || onRevoke(currentTarget.closest('li'))
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm">
      <p className="flex-1 basis-48 text-muted">
        <ShareLinkSummary link={link} />
      </p>
      {open && url !== null && (
        <Button
          look="quiet"
          shape="small"
          onClick={() => toggle('address')}
          aria-expanded={shown === 'address'}
          aria-label={shareDialogStrings.links.showLabel[role]}
        >
          {shareDialogStrings.links.show}
        </Button>
      )}
      {!open && (
        <Button
          look="quiet"
          shape="small"
          onClick={() => setOpen(true)}
          aria-disabled={busy}
          aria-label={shareDialogStrings.links.reopenLabel[role]}
        >
          {shareDialogStrings.links.reopen}
        </Button>
      )}
      <Button
        ref={revokeButton}
        look="quiet"
        shape="small"
        onClick={() => toggle('choices')}
        aria-expanded={shown === 'choices'}
        aria-label={shareDialogStrings.links.revokeLabel[role]}
      >
        {shareDialogStrings.links.revoke}
      </Button>
      {shown === 'choices' && (
        <RowConfirmation
          text={shareDialogStrings.links.choices[open ? 'open' : 'closed']}
          onKeep={closeChoices}
        >
          {open && (
            <Button shape="small" onClick={() => setOpen(false)} aria-disabled={busy}>
              {shareDialogStrings.links.close}
            </Button>
          )}
          <Button look="danger" shape="small" onClick={revoke} aria-disabled={busy}>
            {shareDialogStrings.links.confirm}
          </Button>
        </RowConfirmation>
      )}
      {shown === 'address' && url !== null && (
        <div className="w-full">
          <CopyField text={new URL(url, location.origin).href} label={shareDialogStrings.links.name[role]} />
        </div>
      )}
    </li>
  )
}

function ShareLinkSummary({ link: { role, createdAt, people, open, url } }: { link: ShareLink }) {
  const name = <span className="text-ink">{shareDialogStrings.links.name[role]}</span>
  return (
    <>
      <Sentence parts={shareDialogStrings.links.created(name, <RelativeTime at={createdAt} />)} />{' '}
      {shareDialogStrings.links.people(people)} {!open && shareDialogStrings.links.closed}
      {open && url === null && shareDialogStrings.links.notShownAgain}
    </>
  )
}
