import { ArrowLeft } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import type * as Y from 'yjs'
import type { OpenDocument } from '@/lib/client.ts'
import type { TextSide } from '@/lib/text/diff.ts'
import type { ChangedPlace } from '@/lib/text/restore.ts'
import { canWrite } from '@/components/opening/can-write.ts'
import type { VersionEntry } from '@/components/http-api.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { Button, buttonClass } from '@/components/ui/button.tsx'
import { openNewWindow } from '@/components/windows/open-windows.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { VersionChanges } from './version-changes.tsx'
import { useCurrentText, titledTextOf, type TitledText } from './use-current-text.ts'
import { restoreOnePlace } from './use-restore-version.ts'
import { VersionActions } from './version-actions.tsx'
import { pairHashOf, type VersionPair } from './version-pair.ts'
import { useVersionText } from './use-versions.ts'
import { useShownPeople } from '@/components/following/use-shown-people.ts'
import { SelectField } from '@/components/ui/select-field.tsx'
import { authorsText, versionNameText, versionTimeText } from './history-text.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { historyStrings } from '@/lib/strings/history.ts'

interface VersionViewProps extends PanelProps {
  readonly version: VersionEntry
  /** Newest first, this one among them. */
  readonly versions: readonly VersionEntry[]
  /** With which the window was opened. */
  readonly pair: VersionPair | null
  readonly onClose: () => void
}

type ComparedWith = 'now' | 'before' | 'other'

export function VersionView({ versions, pair, onClose, ...panel }: VersionViewProps) {
  const { document, opened, version } = panel
  const title = useId()
  const { language } = useSettings()
  const personOf = useShownPeople()
  const [comparedWith, setComparedWith] = useState<ComparedWith>(pair ? 'other' : 'now')
  const [isAlone, setAlone] = useState(pair !== null)
  const at = versions.indexOf(version)
  const previous = versions[at + 1] ?? null
  const others = versions.filter((other) => other !== version)
  const [chosenOther, setChosenOther] = useState(pair?.other ?? null)
  const other = others.find(({ id }) => id === chosenOther) ?? previous ?? others[0] ?? null
  const compared = comparedWith === 'other' ? other : comparedWith === 'before' ? previous : null
  const text = useVersionText(document, version.id)
  const comparedText = useVersionText(document, compared?.id ?? null)
  const failedQueries = [text, comparedText].filter(({ error }) => error !== null)
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
        <ArrowLeft size={16} aria-hidden /> {historyStrings.version.back}
      </button>
      <header className="flex flex-col gap-1">
        <h2 id={title} className="font-serif text-xl font-semibold text-balance">
          {versionNameText(version, language)}
        </h2>
        <p className="text-sm text-muted">
          {[version.name && versionTimeText(version, language), authorsText(version, personOf)]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </header>
      <VersionActions key={version.id} {...panel} text={text.data ?? null} onRemoved={onClose} />
      <CompareChoice value={comparedWith} hasOther={other !== null} onChange={setComparedWith} />
      {comparedWith === 'other' && (
        <div className="flex flex-wrap gap-2">
          <OtherVersionChoice versions={others} chosen={other} onChange={setChosenOther} />
          {other && (
            <TwoWindowsButton
              document={document}
              pair={{ version: other.id, other: version.id }}
              isAlone={isAlone}
              onChange={setAlone}
            />
          )}
        </div>
      )}
      {text.data && (!compared || comparedText.data) ? (
        <Comparison
          document={document}
          opened={opened}
          canRestore={canWrite(panel)}
          version={text.data}
          other={comparedText.data ?? null}
          comparedWith={comparedWith}
          pair={isAlone && other ? { version: version.id, other: other.id } : null}
          isOtherNewer={compared !== null && versions.indexOf(compared) < at}
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
  now: historyStrings.compare.now,
  before: historyStrings.compare.before,
  other: historyStrings.compare.other,
}

interface CompareChoiceProps {
  readonly value: ComparedWith
  readonly hasOther: boolean
  readonly onChange: (value: ComparedWith) => void
}

function CompareChoice({ value, hasOther, onChange }: CompareChoiceProps) {
  const name = useId()
  const choices = (Object.keys(comparisonNames) as ComparedWith[]).filter(
    (choice) => hasOther || choice !== 'other',
  )
  return (
    <fieldset className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      <legend className="sr-only">{historyStrings.compare.legend}</legend>
      {choices.map((choice) => (
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

interface OtherVersionChoiceProps {
  readonly versions: readonly VersionEntry[]
  readonly chosen: VersionEntry | null
  readonly onChange: (version: string) => void
}

function OtherVersionChoice({ versions, chosen, onChange }: OtherVersionChoiceProps) {
  const { language } = useSettings()
  return (
    <SelectField
      label={historyStrings.compare.otherVersion}
      value={chosen?.id ?? ''}
      choices={versions.map((version) => [version.id, versionNameText(version, language)])}
      onChange={onChange}
    />
  )
}

interface TwoWindowsButtonProps {
  readonly document: string
  /** As the new window has it. */
  readonly pair: VersionPair
  readonly isAlone: boolean
  readonly onChange: (isAlone: boolean) => void
}

function TwoWindowsButton({ document, pair, isAlone, onChange }: TwoWindowsButtonProps) {
  const open = () => {
    if (openNewWindow({ document, kind: 'history', hash: pairHashOf(pair) }) !== 'blocked') onChange(true)
  }
  return (
    <Button shape="small" onClick={isAlone ? () => onChange(false) : open}>
      {isAlone ? historyStrings.compare.together : historyStrings.compare.twoWindows}
    </Button>
  )
}

interface ComparisonProps {
  readonly document: string
  readonly opened: OpenDocument
  readonly canRestore: boolean
  readonly version: Y.Doc
  readonly other: Y.Doc | null
  readonly comparedWith: ComparedWith
  /** The other version is in another window. */
  readonly pair: VersionPair | null
  readonly isOtherNewer: boolean
}

const emptyText: TitledText = { title: '', blocks: [] }

/** Shows the older text as the one before, whichever was chosen first. */
function Comparison({
  canRestore,
  version,
  other,
  comparedWith,
  pair,
  isOtherNewer,
  ...panel
}: ComparisonProps) {
  const { opened } = panel
  const currentText = useCurrentText(opened.doc)
  const versionText = useMemo(() => titledTextOf(version), [version])
  const otherText = useMemo(() => (other ? titledTextOf(other) : emptyText), [other])
  const restore = (place: ChangedPlace) => restoreOnePlace(opened, version, place)
  if (comparedWith === 'now')
    return (
      <VersionChanges
        {...panel}
        before={versionText}
        after={currentText}
        onRestore={canRestore ? restore : undefined}
      />
    )
  const side: TextSide = isOtherNewer ? 'before' : 'after'
  const ownSide = pair && comparedWith === 'other' ? { side, pair } : undefined
  return isOtherNewer ? (
    <VersionChanges {...panel} before={versionText} after={otherText} ownSide={ownSide} />
  ) : (
    <VersionChanges {...panel} before={otherText} after={versionText} ownSide={ownSide} />
  )
}

function LoadingOrError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  if (!error) return <output className="text-sm text-muted">{historyStrings.version.loading}</output>
  return (
    <div role="alert" className="flex flex-col items-start gap-2 text-sm">
      <p>{historyStrings.version.failed(error.message)}</p>
      <Button shape="small" onClick={onRetry}>
        {commonStrings.tryAgain}
      </Button>
    </div>
  )
}
