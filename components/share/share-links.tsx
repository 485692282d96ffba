'use client'

import { useState } from 'react'
import { Eye, Pencil, type LucideIcon } from 'lucide-react'
import { api, type CreatedShareLink, type ShareLink } from '@/components/http-api.ts'
import { Button } from '@/components/ui/button.tsx'
import { focusAdjacentRow } from '@/components/ui/focus-adjacent-row.ts'
import { CopyField } from '@/components/addresses/copy-field.tsx'
import { PeopleWithAccess } from './people-with-access.tsx'
import { ShareLinkRow } from './share-link-row.tsx'
import { useShareChange, useShareLinks } from './share-queries.ts'
import { shareDialogStrings } from '@/lib/strings/share-dialog.ts'

const roleOffers: readonly { role: ShareLink['role']; Icon: LucideIcon }[] = [
  { role: 'editor', Icon: Pencil },
  { role: 'viewer', Icon: Eye },
]

const firstOffer = 'create-link'

export function ShareLinks({ document }: { document: string }) {
  const links = useShareLinks(document)
  const [outcome, setOutcome] = useState('')
  const creation = useShareChange(document, (role: ShareLink['role']) => api.createShareLink(document, role))
  const change = useShareChange(document, ({ link, open }: { link: string; open: boolean }) =>
    api.setShareLinkOpen(document, link, open),
  )
  const revocation = useShareChange(document, (link: string) => api.revokeShareLink(document, link))
  /** The new link is shown until it ends. */
  const onEnded = (link: string) => {
    if (link === creation.data?.id) creation.reset()
  }
  const setOpen = (link: string, open: boolean) =>
    change.mutate(
      { link, open },
      {
        onSuccess: () => {
          if (!open) onEnded(link)
          setOutcome(shareDialogStrings.links[open ? 'reopened' : 'nowClosed'])
        },
      },
    )
  const onRevoked = (link: string, row: Element | null) => {
    focusAdjacentRow(row, firstOffer)
    onEnded(link)
    setOutcome(shareDialogStrings.links.revoked)
  }
  const revoke = (link: string, row: Element | null) =>
    revocation.mutate(link, { onSuccess: () => onRevoked(link, row) })
  const problem = creation.error ?? change.error ?? revocation.error ?? links.error
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap gap-2">
        {roleOffers.map(({ role, Icon }, index) => (
          <Button
            key={role}
            id={index === 0 ? firstOffer : undefined}
            onClick={() => creation.mutate(role)}
            disabled={creation.isPending}
            className="flex-1"
          >
            <Icon size={16} aria-hidden /> {shareDialogStrings.create[role]}
          </Button>
        ))}
      </div>
      {creation.data && <CreatedLink link={creation.data} />}
      <p role="alert" className="text-sm text-danger empty:absolute">
        {problem?.message}
      </p>
      <output className="sr-only">{outcome}</output>
      {links.data && links.data.length > 0 && (
        <LinkList
          links={links.data}
          busy={revocation.isPending || change.isPending}
          onSetOpen={setOpen}
          onRevoke={revoke}
        />
      )}
      <PeopleWithAccess
        document={document}
        hasOpenLink={links.data?.some(({ open }) => open) ?? false}
        fallbackFocus={firstOffer}
      />
    </div>
  )
}

function CreatedLink({ link }: { link: CreatedShareLink }) {
  return (
    <div className="flex flex-col gap-1.5">
      <CopyField
        key={link.id}
        text={new URL(link.url, location.origin).href}
        label={shareDialogStrings.newLink.label}
      />
      <p className="text-sm text-muted">{shareDialogStrings.newLink[link.role]}</p>
    </div>
  )
}

interface LinkListProps {
  readonly links: readonly ShareLink[]
  readonly busy: boolean
  readonly onSetOpen: (link: string, open: boolean) => void
  readonly onRevoke: (link: string, row: Element | null) => void
}

function LinkList({ links, busy, onSetOpen, onRevoke }: LinkListProps) {
  return (
    <section aria-labelledby="links" className="flex flex-col gap-1">
      <h3 id="links" className="text-sm font-semibold">
        {shareDialogStrings.links.title}
      </h3>
      <ul aria-labelledby="links" className="divide-y divide-line">
        {links.map((link) => (
          <ShareLinkRow
            key={link.id}
            link={link}
            busy={busy}
            onSetOpen={(open) => onSetOpen(link.id, open)}
            onRevoke={(row) => onRevoke(link.id, row)}
          />
        ))}
      </ul>
    </section>
  )
}
