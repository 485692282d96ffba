import { Star } from 'lucide-react'
import Link from 'next/link'
import { memo } from 'react'
import type { ListedEntry } from '@/components/http-api.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import type { ListSort } from '@/lib/desk/settings.ts'
import { dragProps } from './folder-drag.ts'
import { DocumentMenu } from './document-menu.tsx'
import { shownTitle } from '@/lib/strings/shown-title.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'

/** The actions of a row. It is the same object at each rendering, so that React draws a row again only where its document changes. */
export interface RowActions {
  rename(entry: ListedEntry): void
  duplicate(entry: ListedEntry): void
  exportAs(entry: ListedEntry): void
  remove(entry: ListedEntry): void
  move(entry: ListedEntry): void
  toggleFavourite(entry: ListedEntry): void
  toggleTemplate(entry: ListedEntry): void
}

interface DocumentRowProps {
  readonly entry: ListedEntry
  readonly actions: RowActions
  readonly sort: ListSort
  /** Given where the page draws a part of the list alone. */
  readonly index?: number
  readonly count?: number
}

const rowColumns =
  'grid grid-cols-[minmax(0,1fr)_4.5rem] gap-x-4 sm:grid-cols-[minmax(0,1fr)_8rem_8rem_4.5rem]'

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
export const DocumentRow = memo(function DocumentRow({
  entry,
  sort,
  actions,
  ...position
}: DocumentRowProps) {
  return (
    <li
      {...itemProps(entry, position)}
      className={`${rowColumns} relative -mx-3 items-center rounded-xl px-3 py-3 before:absolute before:inset-x-3 before:top-0 before:h-px before:bg-line focus-within:bg-sunk/70 hover:bg-sunk/70`}
    >
      <div className="min-w-0">
        <TitleLink entry={entry} className="block truncate text-lg/snug" />
        <Preview entry={entry} className="truncate" />
      </div>
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
        <RowMenu entry={entry} actions={actions} />
      </div>
    </li>
  )
})

export const DocumentCard = memo(function DocumentCard({
  entry,
  sort,
  actions,
  ...position
}: DocumentRowProps) {
  return (
    <li
      {...itemProps(entry, position)}
      className="relative flex flex-col gap-3 rounded-xl border border-line bg-raised p-4 focus-within:border-edge hover:border-edge"
    >
      <div className="flex items-start gap-2">
        <TitleLink entry={entry} className="line-clamp-2 min-h-[2lh] flex-1 text-lg/snug wrap-anywhere" />
        <RowMenu entry={entry} actions={actions} />
      </div>
      <Preview entry={entry} className="line-clamp-3 h-[3lh]" />
      <div className="flex flex-col gap-0.5 text-sm text-muted">
        <OwnerName entry={entry} />
        <span>
          {timeLabel(sort)} <EntryTime entry={entry} sort={sort} />
        </span>
      </div>
    </li>
  )
})

const itemProps = (entry: ListedEntry, { index, count }: Pick<DocumentRowProps, 'index' | 'count'>) => ({
  ...dragProps({ kind: 'document', entry }),
  ...(index !== undefined && { 'aria-posinset': index, 'aria-setsize': count }),
})

/** The whole row, or card, links to the document. */
const TitleLink = ({ entry, className }: { entry: ListedEntry; className: string }) => (
  <Link
    href={`/d/${entry.id}`}
    prefetch={false}
    draggable={false}
    className={`font-serif font-semibold outline-offset-4 after:absolute after:inset-0 after:content-[''] ${className}`}
  >
    <bdi>{shownTitle(entry.title)}</bdi>
  </Link>
)

/** It has its room where there is none yet, so that all rows are of one height. */
const Preview = ({ entry: { preview }, className }: { entry: ListedEntry; className: string }) => (
  <p dir="auto" className={`min-h-[1lh] text-sm text-muted ${className}`}>
    {preview}
  </p>
)

function OwnerName({ entry: { role, owner } }: { entry: ListedEntry }) {
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

const EntryTime = ({ entry, sort }: { entry: ListedEntry; sort: ListSort }) => (
  <RelativeTime at={sort === 'created' ? entry.createdAt : entry.updatedAt} />
)

function RowMenu({ entry, actions }: Pick<DocumentRowProps, 'entry' | 'actions'>) {
  const title = shownTitle(entry.title)
  return (
    <div className="flex items-center justify-end">
      <button
        type="button"
        aria-label={foldersStrings.favourite(title)}
        aria-pressed={entry.favourite}
        onClick={() => actions.toggleFavourite(entry)}
        className={`${buttonClass({ look: 'quiet', shape: 'icon' })} relative z-10 hover:bg-line aria-pressed:text-accent`}
      >
        <Star size={17} aria-hidden className={entry.favourite ? 'fill-current' : ''} />
      </button>
      <DocumentMenu
        title={title}
        isOwner={entry.role === 'owner'}
        isFavourite={entry.favourite}
        isTemplate={entry.template}
        onRename={() => actions.rename(entry)}
        onDuplicate={() => actions.duplicate(entry)}
        onExport={() => actions.exportAs(entry)}
        onDelete={() => actions.remove(entry)}
        onMove={() => actions.move(entry)}
        onFavourite={() => actions.toggleFavourite(entry)}
        onTemplate={() => actions.toggleTemplate(entry)}
      />
    </div>
  )
}
