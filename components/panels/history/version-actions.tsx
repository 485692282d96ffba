import { Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type * as Y from 'yjs'
import type { VersionEntry } from '@/components/http-api.ts'
import { canWrite } from '@/components/opening/can-write.ts'
import type { PanelProps } from '@/components/panels/panel-props.ts'
import { Button } from '@/components/ui/button.tsx'
import { IconButton } from '@/components/ui/icon-button.tsx'
import { toast } from '@/components/ui/toast.ts'
import { useRestoreVersion } from './use-restore-version.ts'
import { useNameVersion, useRemoveVersion } from './use-versions.ts'
import { commonStrings } from '@/lib/strings/common.ts'
import { historyStrings } from '@/lib/strings/history.ts'

interface VersionActionsProps extends PanelProps {
  readonly version: VersionEntry
  /** Null until it has loaded. */
  readonly text: Y.Doc | null
  readonly onRemoved: () => void
}

type OpenForm = 'name' | 'removal' | null

export function VersionActions(props: VersionActionsProps) {
  const [openForm, setOpenForm] = useState<OpenForm>(null)
  const { role, document, version } = props
  if (!canWrite(props)) return <p className="text-sm text-muted">{historyStrings.version.viewOnly}</p>
  const closeForm = () => setOpenForm(null)
  if (openForm === 'name') return <VersionNameForm document={document} version={version} onDone={closeForm} />
  if (openForm === 'removal') return <RemovalConfirmation {...props} onDone={closeForm} />
  return (
    <div className="flex flex-wrap gap-1.5">
      <RestoreButton {...props} />
      <Button shape="small" onClick={() => setOpenForm('name')}>
        <Pencil size={16} aria-hidden />{' '}
        {version.name === null ? historyStrings.version.name : historyStrings.version.rename}
      </Button>
      {role === 'owner' && (
        <IconButton
          name={historyStrings.version.delete}
          Icon={Trash2}
          onClick={() => setOpenForm('removal')}
        />
      )}
    </div>
  )
}

function RestoreButton({ document, opened, status, version, text }: VersionActionsProps) {
  const { restore, isBusy } = useRestoreVersion(document, opened, status.link.state === 'up')
  const disabled = text === null || isBusy
  // `disabled` would take the focus from the button.
  return (
    <Button
      look="primary"
      shape="small"
      aria-disabled={disabled}
      onClick={() => !disabled && void restore(version, text)}
    >
      <RotateCcw size={16} aria-hidden />{' '}
      {isBusy ? historyStrings.version.restoring : historyStrings.version.restore}
    </Button>
  )
}

interface VersionNameFormProps {
  readonly document: string
  readonly version: VersionEntry
  readonly onDone: () => void
}

function VersionNameForm({ document, version, onDone }: VersionNameFormProps) {
  const naming = useNameVersion(document)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = (new FormData(event.currentTarget).get('name') as string).trim() || null
    naming.mutate(
      { version: version.id, name },
      { onSuccess: onDone, onError: (error) => toast.error(historyStrings.nameForm.failed(error.message)) },
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <label className="flex min-w-0 flex-1 flex-col gap-1 text-sm text-muted">
        {historyStrings.nameForm.label}
        <input
          name="name"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person has just asked for this field
          autoFocus
          onFocus={({ target }) => target.select()}
          defaultValue={version.name ?? ''}
          maxLength={100}
          autoComplete="off"
          onKeyDown={({ key, nativeEvent }) => key === 'Escape' && !nativeEvent.isComposing && onDone()}
          className="h-9 min-w-0 rounded-lg border border-edge bg-paper px-3 text-ink"
        />
      </label>
      <Button type="submit" look="primary" shape="small" disabled={naming.isPending} className="min-h-9">
        {historyStrings.nameForm.save}
      </Button>
      <Button shape="small" onClick={onDone} className="min-h-9">
        {commonStrings.cancel}
      </Button>
    </form>
  )
}

function RemovalConfirmation({
  document,
  version,
  onRemoved,
  onDone,
}: VersionActionsProps & { onDone: () => void }) {
  const removing = useRemoveVersion(document)
  const remove = () =>
    removing.mutate(version.id, {
      onSuccess: onRemoved,
      onError: (error) => toast.error(historyStrings.deletion.failed(error.message)),
    })
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p className="mr-1">{historyStrings.deletion.question}</p>
      <Button look="danger" shape="small" onClick={remove} disabled={removing.isPending}>
        {historyStrings.deletion.confirm}
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was just pressed */}
      <Button shape="small" onClick={onDone} autoFocus>
        {historyStrings.deletion.cancel}
      </Button>
    </div>
  )
}
