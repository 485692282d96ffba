import Link from 'next/link'
import type { DocumentEntry } from '@/components/http-api.ts'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import type { ListSort } from '@/lib/desk/settings.ts'
import { DocumentMenu } from './document-menu.tsx'
import type { DocumentActions } from './document-menu-popup.tsx'
import { shownTitle } from './shown-title.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'

interface DocumentRowProps extends DocumentActions {
  readonly entry: DocumentEntry
  readonly sort: ListSort
}

const rowColumns =
  'grid grid-cols-[minmax(0,1fr)_2.25rem] gap-x-4 sm:grid-cols-[minmax(0,1fr)_10rem_9rem_2.25rem]'

const timeLabel = (sort: ListSort) => documentsStrings.row[sort === 'created' ? 'created' : 'edited']

/** Column headings for sighted people; each row says the same in words. */
export const RowHeadings = ({ sort }: { sort: ListSort }) => (
  <div aria-hidden className={`${rowColumns} py-2 text-sm text-muted max-sm:hidden`}>
    <span>{documentsStrings.headings.title}</span>
    <span>{documentsStrings.headings.owner}</span>
    <span>{documentsStrings.headings[sort === 'created' ? 'created' : 'edited']}</span>
  </div>
)

/** Takes two lines on a phone, and columns on a wider screen. */
export function DocumentRow({ entry, sort, ...actions }: DocumentRowProps) {
  return (
    <li
      className={`${rowColumns} relative -mx-3 items-center rounded-xl px-3 py-3 before:absolute before:inset-x-3 before:top-0 before:h-px before:bg-line focus-within:bg-sunk/70 hover:bg-sunk/70`}
    >
      <TitleLink entry={entry} className="truncate text-lg/snug" />
      <div className="col-start-1 row-start-2 flex min-w-0 gap-1.5 text-sm text-muted sm:contents">
        <OwnerName entry={entry} />
        <span aria-hidden className="sm:hidden">
          ·
        </span>
        <span className="shrink-0">
          <span className="sm:sr-only">{timeLabel(sort)} </span>
          <EntryTime entry={entry} sort={sort} />
        </span>
      </div>
      <div className="col-start-2 row-span-2 row-start-1 sm:col-start-4 sm:row-span-1">
        <RowMenu entry={entry} {...actions} />
      </div>
    </li>
  )
}

export function DocumentCard({ entry, sort, ...actions }: DocumentRowProps) {
  return (
    <li className="relative flex flex-col gap-6 rounded-xl border border-line bg-raised p-4 focus-within:border-edge hover:border-edge">
      <div className="flex items-start gap-2">
        <TitleLink entry={entry} className="line-clamp-2 min-h-[2lh] flex-1 text-lg/snug wrap-anywhere" />
        <RowMenu entry={entry} {...actions} />
      </div>
      <div className="flex flex-col gap-0.5 text-sm text-muted">
        <OwnerName entry={entry} />
        <span>
          {timeLabel(sort)} <EntryTime entry={entry} sort={sort} />
        </span>
      </div>
    </li>
  )
}

/** The whole row, or card, links to the document. */
const TitleLink = ({ entry, className }: { entry: DocumentEntry; className: string }) => (
  <Link
    href={`/d/${entry.id}`}
    prefetch={false}
    className={`font-serif font-semibold outline-offset-4 after:absolute after:inset-0 after:content-[''] ${className}`}
  >
    <bdi>{shownTitle(entry.title)}</bdi>
  </Link>
)

function OwnerName({ entry: { role, owner } }: { entry: DocumentEntry }) {
  const name = <bdi>{owner.name}</bdi>
  return (
    <span className="min-w-0 truncate">
      <span className="sr-only">{documentsStrings.row.owner} </span>
      {role === 'owner' && documentsStrings.row.you}
      {role === 'editor' && name}
      {role === 'viewer' && <Sentence parts={documentsStrings.row.viewOnly(name)} />}
    </span>
  )
}

const EntryTime = ({ entry, sort }: { entry: DocumentEntry; sort: ListSort }) => (
  <RelativeTime at={sort === 'created' ? entry.createdAt : entry.updatedAt} />
)

const RowMenu = ({ entry, ...actions }: DocumentActions & { entry: DocumentEntry }) => (
  <DocumentMenu title={shownTitle(entry.title)} isOwner={entry.role === 'owner'} {...actions} />
)
