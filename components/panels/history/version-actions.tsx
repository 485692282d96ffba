import { Pencil, RotateCcw, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import type * as Y from 'yjs'
import type { VersionEntry } from '@/components/api'
import { mayWrite } from '@/components/opening/may-write'
import type { PanelProps } from '@/components/panels/panel'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast'
import { useRestore } from './use-restore'
import { useNameVersion, useRemoveVersion } from './versions'

interface VersionActionsProps extends PanelProps {
  readonly version: VersionEntry
  /** Null until it is here. */
  readonly text: Y.Doc | null
  readonly onRemoved: () => void
}

type Asked = 'name' | 'removal' | null

export function VersionActions(props: VersionActionsProps) {
  const [asked, ask] = useState<Asked>(null)
  const { role, document, version } = props
  if (!mayWrite(props))
    return (
      <p className="text-sm text-muted">You can view this document, so you cannot restore its versions.</p>
    )
  const done = () => ask(null)
  if (asked === 'name') return <NameForm document={document} version={version} onDone={done} />
  if (asked === 'removal') return <Removal {...props} onDone={done} />
  return (
    // Three of them fit a column beside the text.
    <div className="flex flex-wrap gap-1.5 *:px-2!">
      <RestoreButton {...props} />
      <Button shape="small" onClick={() => ask('name')}>
        <Pencil size={16} aria-hidden /> {version.name === null ? 'Name' : 'Rename'}
      </Button>
      {role === 'owner' && (
        <Button shape="small" look="quiet" onClick={() => ask('removal')}>
          <Trash2 size={16} aria-hidden /> Delete
        </Button>
      )}
    </div>
  )
}

function RestoreButton({ document, opened, status, version, text }: VersionActionsProps) {
  const { restore, isBusy } = useRestore(document, opened, status.link.state === 'up')
  const disabled = text === null || isBusy
  // `disabled` would take the keyboard from it.
  return (
    <Button
      look="primary"
      shape="small"
      aria-disabled={disabled}
      onClick={() => !disabled && void restore(version, text)}
    >
      <RotateCcw size={16} aria-hidden /> {isBusy ? 'Restoring…' : 'Restore'}
    </Button>
  )
}

interface NameFormProps {
  readonly document: string
  readonly version: VersionEntry
  readonly onDone: () => void
}

function NameForm({ document, version, onDone }: NameFormProps) {
  const naming = useNameVersion(document)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = (new FormData(event.currentTarget).get('name') as string).trim() || null
    naming.mutate(
      { version: version.id, name },
      { onSuccess: onDone, onError: (error) => toast.error(`It keeps its name. ${error.message}`) },
    )
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
      <label className="flex min-w-0 flex-1 flex-col gap-1 text-sm text-muted">
        Name
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
        Save
      </Button>
      <Button shape="small" onClick={onDone} className="min-h-9">
        Cancel
      </Button>
    </form>
  )
}

function Removal({ document, version, onRemoved, onDone }: VersionActionsProps & { onDone: () => void }) {
  const removing = useRemoveVersion(document)
  const remove = () =>
    removing.mutate(version.id, {
      onSuccess: onRemoved,
      onError: (error) => toast.error(`It was not deleted. ${error.message}`),
    })
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p className="mr-1">Delete this version for everybody? The text as it is now stays.</p>
      <Button look="danger" shape="small" onClick={remove} disabled={removing.isPending}>
        Delete
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was just pressed */}
      <Button shape="small" onClick={onDone} autoFocus>
        Keep it
      </Button>
    </div>
  )
}
