import { ArrowLeft } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type * as Y from 'yjs'
import type { VersionEntry } from '@/components/api'
import type { PanelProps } from '@/components/panels/panel'
import { Button, buttonClass } from '@/components/ui/button'
import { useSettings } from '@/components/settings/use-settings'
import { Changes } from './changes'
import { usePresent, textOf, type Text } from './use-present'
import { VersionActions } from './version-actions'
import { useVersionText } from './versions'
import { useShownPeople } from '@/components/following/use-shown-people'
import { authorsOf, timeOf } from './words'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/history.ts'

interface VersionViewProps extends PanelProps {
  readonly version: VersionEntry
  /** The one made before it. */
  readonly before: VersionEntry | null
  readonly onClose: () => void
}

type Compared = 'now' | 'before'

export function VersionView({ before, onClose, ...panel }: VersionViewProps) {
  const { document, opened, version } = panel
  const title = useId()
  const { language } = useSettings()
  const personOf = useShownPeople()
  const [compared, setCompared] = useState<Compared>('now')
  const text = useVersionText(document, version.id)
  const older = useVersionText(document, compared === 'before' ? (before?.id ?? null) : null)
  const failed = [text, older].filter(({ error }) => error !== null)
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
          {version.name ?? timeOf(version, language)}
        </h2>
        <p className="text-sm text-muted">
          {[version.name && timeOf(version, language), authorsOf(version, personOf)]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </header>
      <VersionActions {...panel} text={text.data ?? null} onRemoved={onClose} />
      <CompareChoice value={compared} onChange={setCompared} />
      {text.data && (compared === 'now' || !before || older.data) ? (
        <Compare opened={opened.doc} version={text.data} older={older.data ?? null} compared={compared} />
      ) : (
        <Awaited
          error={failed[0]?.error ?? null}
          onRetry={() => failed.forEach(({ refetch }) => void refetch())}
        />
      )}
    </section>
  )
}

const choices: Readonly<Record<Compared, string>> = {
  now: strings.compare.now,
  before: strings.compare.before,
}

function CompareChoice({ value, onChange }: { value: Compared; onChange: (value: Compared) => void }) {
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <legend className="sr-only">{strings.compare.legend}</legend>
      {(Object.keys(choices) as Compared[]).map((each) => (
        <label key={each} className="flex min-h-6 items-center gap-2">
          <input
            type="radio"
            name={name}
            checked={value === each}
            onChange={() => onChange(each)}
            className="size-4 accent-accent"
          />
          {choices[each]}
        </label>
      ))}
    </fieldset>
  )
}

interface CompareProps {
  readonly opened: Y.Doc
  readonly version: Y.Doc
  readonly older: Y.Doc | null
  readonly compared: Compared
}

const nothing: Text = { title: '', blocks: [] }

function Compare({ opened, version, older, compared }: CompareProps) {
  const present = usePresent(opened)
  const then = useMemo(() => textOf(version), [version])
  const past = useMemo(() => (older ? textOf(older) : nothing), [older])
  return compared === 'now' ? (
    <Changes before={then} after={present} />
  ) : (
    <Changes before={past} after={then} />
  )
}

function Awaited({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
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
