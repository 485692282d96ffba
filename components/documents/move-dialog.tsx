'use client'

import { Dialog } from '@base-ui/react/dialog'
import { Folder, FolderPlus, FolderX } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { FolderEntry } from '@/components/http-api.ts'
import { Modal } from '@/components/ui/modal.tsx'
import { toast } from '@/components/ui/toast.ts'
import { foldText } from '@/lib/protocol/fold-text.ts'
import { folderPath, isFolderWithin } from '@/lib/protocol/folder-tree.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { useCreateFolder } from './folder-queries.ts'
import { folderRows } from './folder-rows.ts'
import { type Movable, nameOfMovable, useFolderActions } from './use-folder-actions.ts'

interface MoveDialogProps {
  readonly movable: Movable
  /** Called when the dialog has closed. */
  readonly onClose: () => void
}

interface MoveOption {
  readonly key: string
  readonly name: string
  readonly Icon: typeof Folder
  readonly isNow: boolean
  choose(): Promise<void>
}

const { dialog: words, failed } = foldersStrings

/** Letters find a folder by its path, arrows choose, Enter moves. */
export default function MoveDialog({ movable, onClose }: MoveDialogProps) {
  const [open, setOpen] = useState(true)
  const input = useRef<HTMLInputElement>(null)
  return (
    <Dialog.Root open={open} onOpenChange={setOpen} onOpenChangeComplete={(isOpen) => !isOpen && onClose()}>
      <Modal title={words.moveTitle(nameOfMovable(movable))} initialFocus={input}>
        <FolderChoice movable={movable} input={input} onDone={() => setOpen(false)} />
      </Modal>
    </Dialog.Root>
  )
}

interface FolderChoiceProps extends Pick<MoveDialogProps, 'movable'> {
  readonly input: React.RefObject<HTMLInputElement | null>
  readonly onDone: () => void
}

function FolderChoice({ movable, input, onDone }: FolderChoiceProps) {
  const id = useId()
  const [query, setQuery] = useState('')
  const [active, setActive] = useState(0)
  const options = useMoveOptions(movable, query.trim())
  const shown = Math.min(active, options.length - 1)
  const choose = (option: MoveOption | undefined) => {
    if (!option) return
    onDone()
    void option.choose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowDown: shown + 1, ArrowUp: shown - 1, Home: 0, End: options.length - 1 }[event.key]
    if (event.key === 'Enter') choose(options[shown])
    else if (next !== undefined) {
      const index = (next + options.length) % options.length
      setActive(index)
      document.getElementById(`${id}-${index}`)?.scrollIntoView({ block: 'nearest' })
    } else return
    event.preventDefault()
  }
  return (
    <>
      <input
        ref={input}
        role="combobox"
        aria-label={words.find}
        aria-expanded
        aria-controls={id}
        aria-activedescendant={options.length > 0 ? `${id}-${shown}` : undefined}
        placeholder={words.find}
        autoComplete="off"
        value={query}
        onChange={({ target }) => {
          setQuery(target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
        className="h-11 w-full rounded-lg border border-edge bg-paper px-3"
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select has no field to type in */}
      <div id={id} role="listbox" aria-label={words.folders} className="mt-2 max-h-72 overflow-y-auto">
        {options.map((option, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the field has the focus and takes the keys
          <div
            key={option.key}
            id={`${id}-${index}`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its list
            role="option"
            aria-selected={index === shown}
            aria-current={option.isNow || undefined}
            onClick={() => choose(option)}
            className={`flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm ${index === shown ? 'bg-accent-soft text-accent' : 'hover:bg-sunk'} ${option.isNow ? 'font-medium' : ''}`}
          >
            <option.Icon size={16} aria-hidden className="shrink-0 text-muted" />
            <bdi className="truncate">{option.name}</bdi>
          </div>
        ))}
      </div>
    </>
  )
}

const SEPARATOR = ' / '

function useMoveOptions(movable: Movable, query: string): readonly MoveOption[] {
  const { folders, move } = useFolderActions()
  const { mutateAsync: createFolder } = useCreateFolder()
  const now = movable.kind === 'document' ? movable.entry.folder : movable.folder.parent
  const isAllowed = ({ id }: FolderEntry) =>
    movable.kind === 'document' || !isFolderWithin(folders, id, movable.folder.id)
  const found = folderRows(folders, () => true)
    .filter(({ folder }) => isAllowed(folder))
    .map(({ folder }) => ({
      key: folder.id,
      name: folderPath(folders, folder.id)
        .map(({ name }) => name)
        .join(SEPARATOR),
      Icon: Folder,
      isNow: folder.id === now,
      choose: () => move(movable, folder),
    }))
    .filter(({ name }) => foldText(name).includes(foldText(query)))
  const none: MoveOption = {
    key: '',
    name: foldersStrings.noFolder,
    Icon: FolderX,
    isNow: now === null,
    choose: () => move(movable, null),
  }
  const created: MoveOption = {
    key: 'new',
    name: foldersStrings.createNamed(query),
    Icon: FolderPlus,
    isNow: false,
    async choose() {
      try {
        await move(movable, await createFolder({ name: query, parent: null }))
      } catch (error) {
        toast.error(failed.create((error as Error).message))
      }
    },
  }
  const hasExact = found.some(({ name }) => foldText(name) === foldText(query))
  return [...(query === '' ? [none] : []), ...found, ...(query === '' || hasExact ? [] : [created])]
}
