/** The folders as the rows of a tree: sorted by name, each below what it is in, without what is in closed ones. */
import type { Folder } from '@/lib/protocol/folder-tree.ts'

export interface FolderRow<F extends Folder = Folder> {
  readonly folder: F
  /** From 1. */
  readonly level: number
  readonly position: number
  readonly siblings: number
  /** Null where nothing is in it. */
  readonly isOpen: boolean | null
}

export function folderRows<F extends Folder>(
  folders: ReadonlyMap<string, F>,
  isOpen: (folder: F) => boolean,
): readonly FolderRow<F>[] {
  const compare = new Intl.Collator(undefined, { numeric: true }).compare
  const byParent = Map.groupBy(folders.values(), ({ parent }) =>
    parent !== null && folders.has(parent) ? parent : null,
  )
  const rowsIn = (parent: string | null, level: number): FolderRow<F>[] => {
    const siblings = (byParent.get(parent) ?? []).toSorted((a, b) => compare(a.name, b.name))
    return siblings.flatMap((folder, index) => {
      const hasChildren = byParent.has(folder.id)
      const row: FolderRow<F> = {
        folder,
        level,
        position: index + 1,
        siblings: siblings.length,
        isOpen: hasChildren ? isOpen(folder) : null,
      }
      return row.isOpen ? [row, ...rowsIn(folder.id, level + 1)] : [row]
    })
  }
  return rowsIn(null, 1)
}
