'use client'

import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { matchesShortcut } from '@/components/commands/command-keys.ts'
import type { ListedEntry } from '@/components/http-api.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import { focusAdjacentRow } from '@/components/ui/focus-adjacent-row.ts'
import { LazyComponent } from '@/components/ui/lazy-component.tsx'
import { toast } from '@/components/ui/toast.ts'
import { documentsStrings } from '@/lib/strings/documents.ts'
import { foldersStrings } from '@/lib/strings/folders.ts'
import { usePlaceDocument } from './document-queries.ts'
import { DocumentCard, DocumentRow, type RowActions, RowHeadings } from './document-row.tsx'
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
  const { first, end, isWhole, style, entryAt, focusEntry } = useListWindow(list, entries.length, listLayout)
  const duplicate = useDuplicateAction()
  const remove = useTrashAction()
  const place = usePlaceAction()
  const isCards = listLayout === 'cards'
  const Item = isCards ? DocumentCard : DocumentRow
  const actions = useStableActions({
    rename: setEntryToRename,
    exportAs: setEntryToExport,
    duplicate: (entry) => void duplicate(entry),
    remove(entry) {
      const index = entries.findIndex(({ id }) => id === entry.id)
      void remove(entry, () => focusAdjacentRow(list.current?.children[index - first] ?? null))
    },
    move: moveEntry,
    toggleFavourite: (entry) => void place(entry, { favourite: !entry.favourite }),
    toggleTemplate: (entry) => void place(entry, { template: !entry.template }),
  })

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    const target = event.target as Element
    const index = entryAt(target)
    if (index === null || !entries[index]) return
    if (matchesShortcut(event.nativeEvent, MOVE_KEYS)) moveEntry(entries[index])
    else {
      if (!(target instanceof HTMLAnchorElement) && target !== list.current) return
      const next = nextIndex(event, index, entries.length, list.current!)
      if (next === undefined) return
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
        tabIndex={-1}
        onKeyDown={onKeyDown}
        style={style}
        className={`outline-none ${isCards ? 'mt-2 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-4' : ''}`}
      >
        {entries.slice(first, end).map((entry, at) => (
          <Item
            key={entry.id}
            entry={entry}
            sort={sort}
            actions={actions}
            {...(!isWhole && { index: first + at + 1, count: entries.length })}
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

/** Rows get the same functions at each rendering, and these do what they do at the latest one. */
function useStableActions(actions: RowActions): RowActions {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const [stable] = useState<RowActions>(() => ({
    rename: (entry) => latest.current.rename(entry),
    duplicate: (entry) => latest.current.duplicate(entry),
    exportAs: (entry) => latest.current.exportAs(entry),
    remove: (entry) => latest.current.remove(entry),
    move: (entry) => latest.current.move(entry),
    toggleFavourite: (entry) => latest.current.toggleFavourite(entry),
    toggleTemplate: (entry) => latest.current.toggleTemplate(entry),
  }))
  return stable
}

const moveEntry = (entry: ListedEntry): void =>
  showFolderDialog({ kind: 'move', movable: { kind: 'document', entry } })

/** Arrows go from one document to the next, among cards also up and down; PageDown and PageUp go by a screen. */
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
  const screen = columns * Math.max(1, Math.floor(innerHeight / list.firstElementChild!.clientHeight) - 1)
  const steps: Record<string, number> = {
    ArrowUp: index - columns,
    ArrowDown: index + columns,
    Home: 0,
    End: count - 1,
    PageDown: Math.min(count - 1, index + screen),
    PageUp: Math.max(0, index - screen),
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
