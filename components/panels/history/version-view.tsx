import { ArrowLeft } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type * as Y from 'yjs'
import type { VersionEntry } from '@/components/http-api.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { useSettings } from '@/components/settings/use-settings.ts'
import { VersionChanges } from './version-changes.tsx'
import { useCurrentText, titledTextOf, type TitledText } from './use-current-text.ts'
import { VersionActions } from './version-actions.tsx'
import { useVersionText } from './use-versions.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { authorsText, versionTimeText } from './history-text.ts'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/history.ts'

interface VersionViewProps extends PanelProps {
  readonly version: VersionEntry
  /** The version before it. */
  readonly previous: VersionEntry | null
  readonly onClose: () => void
}

type ComparedWith = 'now' | 'before'

export function VersionView({ previous, onClose, ...panel }: VersionViewProps) {
  const { document, opened, version } = panel
  const title = useId()
  const { language } = useSettings()
  const personOf = useShownPeople()
  const [comparedWith, setComparedWith] = useState<ComparedWith>('now')
  const text = useVersionText(document, version.id)
  const older = useVersionText(document, comparedWith === 'before' ? (previous?.id ?? null) : null)
  const failedQueries = [text, older].filter(({ error }) => error !== null)
  return (
    <section
      aria-labelledby={title}
      className="flex min-w-0 flex-col gap-4 p-4 @3xl:min-h-[calc(100dvh-3.5rem)] @3xl:border-l @3xl:border-line @3xl:px-8"
    >
      <button
        type="button"
        onClick={onClose}
        className={`${buttonClass({ look: 'quiet', shape: 'small' })} -ml-2 self-start @3xl:hidden`}
      >
        <ArrowLeft size={16} aria-hidden /> {strings.version.back}
      </button>
      <header className="flex flex-col gap-1">
        <h2 id={title} className="font-serif text-xl font-semibold text-balance">
          {version.name ?? versionTimeText(version, language)}
        </h2>
        <p className="text-sm text-muted">
          {[version.name && versionTimeText(version, language), authorsText(version, personOf)]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </header>
      <VersionActions {...panel} text={text.data ?? null} onRemoved={onClose} />
      <CompareChoice value={comparedWith} onChange={setComparedWith} />
      {text.data && (comparedWith === 'now' || !previous || older.data) ? (
        <Comparison
          opened={opened.doc}
          version={text.data}
          older={older.data ?? null}
          comparedWith={comparedWith}
        />
      ) : (
        <LoadingOrError
          error={failedQueries[0]?.error ?? null}
          onRetry={() => failedQueries.forEach(({ refetch }) => void refetch())}
        />
      )}
    </section>
  )
}

const comparisonNames: Readonly<Record<ComparedWith, string>> = {
  now: strings.compare.now,
  before: strings.compare.before,
}

function CompareChoice({
  value,
  onChange,
}: {
  value: ComparedWith
  onChange: (value: ComparedWith) => void
}) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <legend className="sr-only">{strings.compare.legend}</legend>
      {(Object.keys(comparisonNames) as ComparedWith[]).map((choice) => (
        <label key={choice} className="flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name={name}
            checked={value === choice}
            onChange={() => onChange(choice)}
            className="size-4 accent-accent"
          />
          {comparisonNames[choice]}
        </label>
      ))}
    </fieldset>
  )
}

interface ComparisonProps {
  readonly opened: Y.Doc
  readonly version: Y.Doc
  readonly older: Y.Doc | null
  readonly comparedWith: ComparedWith
}

const emptyText: TitledText = { title: '', blocks: [] }

function Comparison({ opened, version, older, comparedWith }: ComparisonProps) {
  const currentText = useCurrentText(opened)
  const versionText = useMemo(() => titledTextOf(version), [version])
  const olderText = useMemo(() => (older ? titledTextOf(older) : emptyText), [older])
  return comparedWith === 'now' ? (
    <VersionChanges before={versionText} after={currentText} />
  ) : (
    <VersionChanges before={olderText} after={versionText} />
  )
}

function LoadingOrError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return <output className="text-sm text-muted">{strings.version.loading}</output>
  return (
    <div role="alert" className="flex flex-col items-start gap-2 text-sm">
      <p>{strings.version.failed(error.message)}</p>
      <Button shape="small" onClick={onRetry}>
        {common.tryAgain}
      </Button>
    </div>
  )
}
