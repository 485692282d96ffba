'use client'

import { LayoutPanelLeft, Pencil, Save, Trash2 } from 'lucide-react'
import { useState, type FormEvent, type KeyboardEvent, type RefObject } from 'react'
import { itemsOf } from '@/lib/windows/panel-layout.ts'
import { MAX_WORKSPACE_NAME, type Workspace } from '@/lib/windows/workspaces.ts'
import { Button } from '@/components/ui/button.tsx'
import { toast } from '@/components/ui/toast.ts'
import { RowAction } from './row-action.tsx'
import { useWorkspaces, type NamedWorkspace, type WorkspaceStore as Store } from './use-workspaces.ts'
import { workspacesStrings } from '@/lib/strings/workspaces.ts'

interface WorkspacesSectionProps {
  /** The field for the name of a new workspace. */
  readonly nameField: RefObject<HTMLInputElement | null>
  readonly onApplied: () => void
}

/** The workspaces: to save, apply, rename and remove them. */
export function WorkspacesSection({ nameField, onApplied }: WorkspacesSectionProps) {
  const workspaces = useWorkspaces()
  if (!workspaces) return null
  return (
    <section aria-labelledby="workspaces" className="flex flex-col gap-1.5">
      <h3 id="workspaces" className="text-sm font-semibold">
        {workspacesStrings.title}
      </h3>
      {workspaces.all.length === 0 && <p className="text-sm text-muted">{workspacesStrings.empty}</p>}
      <ul aria-labelledby="workspaces" className="divide-y divide-line">
        {workspaces.all.map((namedWorkspace) => (
          <WorkspaceRow
            key={namedWorkspace.name}
            namedWorkspace={namedWorkspace}
            workspaces={workspaces}
            onApplied={onApplied}
          />
        ))}
      </ul>
      <SaveWorkspaceForm workspaces={workspaces} nameField={nameField} />
    </section>
  )
}

/** For example "2 windows, 1 panel beside the text", and where it was saved. */
function noteOf({ workspace, isSameDevice }: NamedWorkspace): string {
  const windows = workspace.windows.length
  const docked = itemsOf(workspace.layout).filter(
    ({ panel }) => !workspace.windows.some((window) => window.panel === panel),
  ).length
  const contents = workspacesStrings.note.holds(windows, docked)
  if (!isSameDevice && windows > 0) return workspacesStrings.note.elsewhere(contents, workspace.device.name)
  return workspace.screens > 1 ? workspacesStrings.note.onScreens(contents, workspace.screens) : contents
}

interface WorkspaceRowProps {
  readonly namedWorkspace: NamedWorkspace
  readonly workspaces: Store
  readonly onApplied: () => void
}

function WorkspaceRow({ namedWorkspace, workspaces, onApplied }: WorkspaceRowProps) {
  const { name, workspace } = namedWorkspace
  const [isRenaming, setRenaming] = useState(false)
  if (isRenaming)
    return (
      <li className="py-1.5">
        <WorkspaceNameForm
          name={name}
          label={workspacesStrings.form.renameLabel(name)}
          action={workspacesStrings.form.rename}
          onName={(to) => {
            const problem = workspaces.rename(name, to)
            if (problem) toast.error(problem)
            else setRenaming(false)
          }}
          onCancel={() => setRenaming(false)}
        />
      </li>
    )
  const apply = (chosen: Workspace) => {
    workspaces.apply(chosen)
    onApplied()
  }
  const remove = () => {
    const undo = workspaces.remove(name)
    toast(workspacesStrings.row.removed(name), {
      action: { label: workspacesStrings.row.undo, onClick: undo },
    })
  }
  return (
    <li className="flex flex-wrap items-center gap-1 py-2">
      <span className="min-w-0 flex-1 basis-full">
        <span className="block truncate text-sm">{name}</span>
        <span className="block text-xs text-muted">{noteOf(namedWorkspace)}</span>
      </span>
      <Button
        shape="small"
        aria-label={workspacesStrings.row.applyLabel(name)}
        onClick={() => apply(workspace)}
      >
        <LayoutPanelLeft size={14} aria-hidden /> {workspacesStrings.row.apply}
      </Button>
      <RowAction
        text={workspacesStrings.row.update}
        label={workspacesStrings.row.updateLabel(name)}
        Icon={Save}
        onClick={() => workspaces.save(name)}
      />
      <RowAction
        text={workspacesStrings.row.rename}
        label={workspacesStrings.row.renameLabel(name)}
        Icon={Pencil}
        onClick={() => setRenaming(true)}
      />
      <RowAction
        text={workspacesStrings.row.remove}
        label={workspacesStrings.row.removeLabel(name)}
        Icon={Trash2}
        onClick={remove}
      />
    </li>
  )
}

interface SaveWorkspaceFormProps {
  readonly workspaces: Store
  readonly nameField: WorkspacesSectionProps['nameField']
}

function SaveWorkspaceForm({ workspaces, nameField }: SaveWorkspaceFormProps) {
  const [formKey, setFormKey] = useState(0)
  const save = (name: string) => {
    workspaces.save(name)
    // A new form, whose field is empty again.
    setFormKey(formKey + 1)
  }
  return (
    <WorkspaceNameForm
      key={formKey}
      field={nameField}
      name=""
      label={workspacesStrings.form.label}
      action={workspacesStrings.form.save}
      onName={save}
    />
  )
}

interface WorkspaceNameFormProps {
  readonly field?: RefObject<HTMLInputElement | null>
  readonly name: string
  readonly label: string
  readonly action: string
  readonly onName: (name: string) => void
  /** Given if the person asked for the field, which then takes the focus. */
  readonly onCancel?: () => void
}

function WorkspaceNameForm({ field, name, label, action, onName, onCancel }: WorkspaceNameFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onName(new FormData(event.currentTarget).get('name') as string)
  }
  // Escape leaves the field, and not the dialog around it.
  const onKeyDown = (event: KeyboardEvent) => {
    if (!onCancel || event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.stopPropagation()
    onCancel()
  }
  return (
    <form onSubmit={submit} className="flex gap-1.5">
      <input
        ref={field}
        name="name"
        aria-label={label}
        placeholder={workspacesStrings.form.placeholder}
        required
        maxLength={MAX_WORKSPACE_NAME}
        autoComplete="off"
        defaultValue={name}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- only where the person has just asked for it
        autoFocus={onCancel !== undefined}
        onKeyDown={onKeyDown}
        className="h-8 min-w-0 flex-1 rounded-lg border border-edge bg-paper px-2.5 text-sm placeholder:text-muted"
      />
      <Button type="submit" shape="small">
        {action}
      </Button>
    </form>
  )
}
