'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { Eye, Pencil, type LucideIcon } from 'lucide-react'
import { api, type CreatedShareLink, type ShareLink } from '@/components/http-api.ts'
import { queryClient } from '@/components/query-client.ts'
import { Button } from '@/components/ui/button.tsx'
import { CopyField } from './copy-field.tsx'
import { ShareLinkRow } from './share-link-row.tsx'
import { strings } from '@/lib/strings/share-dialog.ts'

const roleOffers: readonly { role: ShareLink['role']; Icon: LucideIcon }[] = [
  { role: 'editor', Icon: Pencil },
  { role: 'viewer', Icon: Eye },
]

export function ShareLinks({ document }: { document: string }) {
  const key = ['links', document]
  const links = useQuery(
    { queryKey: key, queryFn: ({ signal }) => api.listShareLinks(document, signal), staleTime: 0 },
    queryClient,
  )
  const refresh = () => queryClient.invalidateQueries({ queryKey: key })
  const creation = useMutation(
    {
      mutationFn: (role: ShareLink['role']) => api.createShareLink(document, role),
      onSuccess: refresh,
    },
    queryClient,
  )
  const revocation = useMutation(
    {
      mutationFn: (link: string) => api.revokeShareLink(document, link),
      onSuccess: refresh,
    },
    queryClient,
  )
  const problem = creation.error ?? revocation.error ?? links.error
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap gap-2">
        {roleOffers.map(({ role, Icon }) => (
          <Button
            key={role}
            onClick={() => creation.mutate(role)}
            disabled={creation.isPending}
            className="flex-1"
          >
            <Icon size={16} aria-hidden /> {strings.create[role]}
          </Button>
        ))}
      </div>
      {creation.data && creation.data.id !== revocation.variables && <CreatedLink link={creation.data} />}
      <p role="alert" className="text-sm text-danger empty:absolute">
        {problem?.message}
      </p>
      {links.data && links.data.length > 0 && (
        <LinkList
          links={links.data}
          busy={revocation.isPending}
          onRevoke={(link) => revocation.mutate(link)}
        />
      )}
    </div>
  )
}

function CreatedLink({ link }: { link: CreatedShareLink }) {
  return (
    <div className="flex flex-col gap-1.5">
      <CopyField key={link.id} text={new URL(link.url, location.origin).href} label={strings.newLink.label} />
      <p className="text-sm text-muted">{strings.newLink[link.role]}</p>
    </div>
  )
}

interface LinkListProps {
  readonly links: readonly ShareLink[]
  readonly busy: boolean
  readonly onRevoke: (link: string) => void
}

function LinkList({ links, busy, onRevoke }: LinkListProps) {
  return (
    <section aria-labelledby="links" className="flex flex-col gap-1">
      <h3 id="links" className="text-sm font-semibold">
        {strings.links.title}
      </h3>
      <ul aria-labelledby="links" className="divide-y divide-line">
        {links.map((link) => (
          <ShareLinkRow key={link.id} link={link} busy={busy} onRevoke={() => onRevoke(link.id)} />
        ))}
      </ul>
    </section>
  )
}
