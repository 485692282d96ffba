'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye, Pencil, type LucideIcon } from 'lucide-react'
import { api, type FreshLink, type ShareLink } from '@/components/api'
import { Button } from '@/components/ui/button'
import { CopyField } from './copy-field'
import { LinkRow } from './link-row'
import { strings } from '@/lib/strings/share.ts'

const offers: readonly { role: ShareLink['role']; Icon: LucideIcon }[] = [
  { role: 'editor', Icon: Pencil },
  { role: 'viewer', Icon: Eye },
]

export function ShareLinks({ document }: { document: string }) {
  const client = useQueryClient()
  const key = ['links', document]
  const links = useQuery({ queryKey: key, queryFn: () => api.links(document), staleTime: 0 })
  const refresh = () => client.invalidateQueries({ queryKey: key })
  const make = useMutation({
    mutationFn: (role: ShareLink['role']) => api.makeLink(document, role),
    onSuccess: refresh,
  })
  const revoke = useMutation({
    mutationFn: (link: string) => api.revokeLink(document, link),
    onSuccess: refresh,
  })
  const problem = make.error ?? revoke.error ?? links.error
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap gap-2">
        {offers.map(({ role, Icon }) => (
          <Button key={role} onClick={() => make.mutate(role)} disabled={make.isPending} className="flex-1">
            <Icon size={16} aria-hidden /> {strings.create[role]}
          </Button>
        ))}
      </div>
      {make.data && make.data.id !== revoke.variables && <Fresh link={make.data} />}
      <p role="alert" className="text-sm text-danger empty:absolute">
        {problem?.message}
      </p>
      {links.data && links.data.length > 0 && (
        <LinkList links={links.data} busy={revoke.isPending} onRevoke={(link) => revoke.mutate(link)} />
      )}
    </div>
  )
}

function Fresh({ link }: { link: FreshLink }) {
  return (
    <div className="flex flex-col gap-1.5">
      <CopyField key={link.id} text={new URL(link.url, location.origin).href} label={strings.newLink.label} />
      <p className="text-sm text-muted">{strings.newLink[link.role]}</p>
    </div>
  )
}

interface ListProps {
  readonly links: readonly ShareLink[]
  readonly busy: boolean
  readonly onRevoke: (link: string) => void
}

function LinkList({ links, busy, onRevoke }: ListProps) {
  return (
    <section aria-labelledby="links" className="flex flex-col gap-1">
      <h3 id="links" className="text-sm font-semibold">
        {strings.links.title}
      </h3>
      <ul aria-labelledby="links" className="divide-y divide-line">
        {links.map((link) => (
          <LinkRow key={link.id} link={link} busy={busy} onRevoke={() => onRevoke(link.id)} />
        ))}
      </ul>
    </section>
  )
}
