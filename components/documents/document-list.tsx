'use client'

import { type KeyboardEvent, useRef, useState } from 'react'
import { matchesShortcut } from '@/components/commands/command-keys.ts'
import type { ListedEntry } from '@/components/http-api.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { focusAdjacentRow } from '@/components/ui/focus-adjacent-row.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { toast } from '@/components/ui/toast.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { usePlaceDocument } from './document-queries.ts'
import { DocumentCard, DocumentRow, RowHeadings } from './document-row.tsx'
import { showFolderDialog } from './folder-dialogs.ts'
import { MOVE_KEYS } from './folder-tree.tsx'
import { useDuplicateAction } from './use-duplicate-action.ts'
import { useListWindow } from './use-list-window.ts'
import { useTrashAction } from './use-trash-action.ts'

const loadRenameDialog = () => import('./rename-dialog.tsx')
const loadExportDialog = () => import('@/components/export/export-dialog.tsx')

export function DocumentList({ entries }: { entries: readonly ListedEntry[] }) {
  const { listSort: sort, listLayout } = useSettings()
  const [entryToRename, setEntryToRename] = useState<ListedEntry | null>(null)
  const [entryToExport, setEntryToExport] = useState<ListedEntry | null>(null)
  const closeExportDialog = () => setEntryToExport(null)
  const closeRenameDialog = () => setEntryToRename(null)
  const list = useRef<HTMLUListElement>(null)
  const { first, end, isWhole, padding, focusEntry } = useListWindow(list, entries.length, listLayout)
  const duplicate = useDuplicateAction()
  const remove = useTrashAction()
  const place = usePlaceAction()
  const isCards = listLayout === 'cards'
  const Item = isCards ? DocumentCard : DocumentRow
  const onDelete = (entry: ListedEntry, index: number) =>
    void remove(entry, () => focusAdjacentRow(list.current?.children[index - first] ?? null))

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const { target } = event
    const row = (target as Element).closest('li')
    if (!row || row.parentElement !== list.current) return
    const index = first + [...list.current!.children].indexOf(row)
    if (matchesShortcut(event.nativeEvent, MOVE_KEYS)) moveEntry(entries[index]!)
    else {
      const next =
        target instanceof HTMLAnchorElement && nextIndex(event, index, entries.length, list.current!)
      if (next === false || next === undefined) return
      if (entries[next]) focusEntry(next)
    }
    event.preventDefault()
  }

  return (
    <div className="mt-2">
      {!isCards && <RowHeadings sort={sort} />}
      {/* The keys are those of the links in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <ul
        ref={list}
        aria-label={documentsStrings.title}
        onKeyDown={onKeyDown}
        style={padding}
        className={isCards ? 'mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-4' : ''}
      >
        {entries.slice(first, end).map((entry, at) => (
          <Item
            key={entry.id}
            entry={entry}
            sort={sort}
            {...(!isWhole && { position: { index: first + at + 1, count: entries.length } })}
            onRename={() => setEntryToRename(entry)}
            onExport={() => setEntryToExport(entry)}
            onDuplicate={() => void duplicate(entry)}
            onDelete={() => onDelete(entry, first + at)}
            onMove={() => moveEntry(entry)}
            onFavourite={() => void place(entry, { favourite: !entry.favourite })}
            onTemplate={() => void place(entry, { template: !entry.template })}
          />
        ))}
      </ul>
      {entryToRename && (
        <LazyComponent
          load={loadRenameDialog}
          props={{ entry: entryToRename, onClose: closeRenameDialog }}
          onLoadFailed={closeRenameDialog}
        />
      )}
      {entryToExport && (
        <LazyComponent
          load={loadExportDialog}
          props={{
            document: entryToExport.id,
            title: entryToExport.title,
            opened: null,
            onClose: closeExportDialog,
          }}
          onLoadFailed={closeExportDialog}
        />
      )}
    </div>
  )
}

const moveEntry = (entry: ListedEntry): void =>
  showFolderDialog({ kind: 'move', movable: { kind: 'document', entry } })

/** Arrows go from one document to the next, among cards also up and down. */
function nextIndex(
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent,
  index: number,
  count: number,
  list: HTMLElement,
): number | undefined {
  if (ctrlKey || metaKey || altKey || shiftKey) return undefined
  const { gridTemplateColumns, direction } = getComputedStyle(list)
  const isCards = gridTemplateColumns !== 'none'
  const columns = isCards ? gridTemplateColumns.split(' ').length : 1
  const side = direction === 'rtl' ? -1 : 1
  const steps: Record<string, number> = {
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
    ...(isCards && { ArrowLeft: index - side, ArrowRight: index + side }),
  }
  return steps[key]
}

function usePlaceAction() {
  const { mutateAsync: placeDocument } = usePlaceDocument()
  return async (
    { id }: ListedEntry,
    change: { favourite: boolean } | { template: boolean },
  ): Promise<void> => {
    try {
      await placeDocument({ id, ...change })
    } catch (error) {
      const failed = 'favourite' in change ? foldersStrings.failed.favourite : foldersStrings.failed.template
      toast.error(failed((error as Error).message))
    }
  }
}
