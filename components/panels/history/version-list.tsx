import { useState } from 'react'
import type { NamedPerson, VersionEntry } from '@/components/http-api.ts'
import { RelativeTime } from '@/components/settings/relative-time.tsx'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import { authorsText } from './history-text.ts'
import { historyStrings } from '@/lib/strings/history.ts'

interface VersionListProps {
  /** Newest first. */
  readonly versions: readonly VersionEntry[]
  readonly chosen: string | null
  readonly onChoose: (version: string | null) => void
}

export function VersionList({ versions, chosen, onChoose }: VersionListProps) {
  const [author, setAuthor] = useState<string | null>(null)
  if (versions.length === 0) return <NoVersions />
  const authors = authorsAmong(versions)
  const wanted = authors.has(author ?? '') ? author : null
  const shown = wanted === null ? versions : versions.filter((version) => isBy(version, wanted))
  return (
    <>
      {authors.size > 1 && (
        <AuthorChoice authors={[...authors.values()]} chosen={wanted} onChange={setAuthor} />
      )}
      <ul aria-label={historyStrings.list.label} className="-mx-2 flex flex-col gap-0.5">
        <li>
          <VersionRow isChosen={chosen === null} onClick={() => onChoose(null)}>
            <span className="font-medium">{historyStrings.list.now}</span>
          </VersionRow>
        </li>
        {shown.map((version) => (
          <li key={version.id} className="[contain-intrinsic-size:auto_3.25rem] [content-visibility:auto]">
            <VersionRow isChosen={version.id === chosen} onClick={() => onChoose(version.id)}>
              <VersionSummary version={version} />
            </VersionRow>
          </li>
        ))}
      </ul>
    </>
  )
}

const isBy = ({ authors }: VersionEntry, person: string): boolean => authors.some(({ id }) => id === person)

const authorsAmong = (versions: readonly VersionEntry[]): ReadonlyMap<string, NamedPerson> =>
  new Map(versions.flatMap(({ authors }) => authors.map((author) => [author.id, author] as const)))

interface AuthorChoiceProps {
  readonly authors: readonly NamedPerson[]
  readonly chosen: string | null
  readonly onChange: (author: string | null) => void
}

function AuthorChoice({ authors, chosen, onChange }: AuthorChoiceProps) {
  const personOf = useShownPeople()
  return (
    <SelectField
      label={historyStrings.list.author}
      labelPlace="beside"
      value={chosen ?? ''}
      choices={[
        ['', historyStrings.list.anyAuthor],
        ...authors.map((author) => [author.id, personOf(author).name] as const),
      ]}
      onChange={(author) => onChange(author || null)}
    />
  )
}

const NoVersions = () => <p className="text-sm text-pretty text-muted">{historyStrings.list.empty}</p>

interface VersionRowProps {
  readonly isChosen: boolean
  readonly onClick: () => void
  readonly children: React.ReactNode
}

const VersionRow = ({ isChosen, onClick, children }: VersionRowProps) => (
  <button
    type="button"
    aria-current={isChosen}
    onClick={onClick}
    className={`flex min-h-9 w-full flex-col justify-center rounded-lg px-2 py-1.5 text-left text-sm -outline-offset-2 ${isChosen ? 'bg-accent-soft' : 'hover:bg-sunk'}`}
  >
    {children}
  </button>
)

function VersionSummary({ version }: { version: VersionEntry }) {
  const { name, createdAt } = version
  const time = <RelativeTime at={createdAt} />
  const authors = authorsText(version, useShownPeople())
  return (
    <>
      <span className="w-full truncate font-medium">{name ?? time}</span>
      <span className="w-full truncate text-muted">
        {name !== null && time}
        {name !== null && authors !== '' && ' · '}
        {authors}
      </span>
    </>
  )
}
