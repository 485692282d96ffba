/** The person's order as this browser saw it last, for the list without the server: their folders, and where documents are. */
import type { FolderEntry, ListedEntry, Placement } from '@/components/http-api.ts'
import type { DeviceDocument } from './device-documents.ts'
import type { ListPlace } from './place.ts'

const ORDER_KEY = 'diptych.order'

/** The browser remembers so many documents of folders, favourites and templates: those that a list showed last. */
const MAX_PLACED = 2_000

export interface DeviceOrder {
  readonly folders: readonly FolderEntry[]
  readonly placements: ReadonlyMap<string, Placement>
}

interface StoredOrder {
  readonly principal: string
  readonly folders: readonly FolderEntry[]
  readonly placements: readonly (readonly [string, Placement])[]
}

/** Storage may be forbidden, and nothing is shown that another person left. */
export function readDeviceOrder(principal: string): DeviceOrder {
  try {
    const stored = JSON.parse(localStorage.getItem(ORDER_KEY)!) as StoredOrder | null
    if (stored && stored.principal === principal)
      return { folders: stored.folders, placements: new Map(stored.placements) }
  } catch {
    // As where nothing is known yet.
  }
  return { folders: [], placements: new Map() }
}

/** @param entries What a list has shown of the person's documents. */
export function rememberOrder(
  principal: string,
  folders: readonly FolderEntry[],
  entries: readonly Pick<ListedEntry, 'id' | keyof Placement>[],
): void {
  const placements = new Map(readDeviceOrder(principal).placements)
  for (const { id, folder, favourite, template } of entries) {
    placements.delete(id)
    if (folder !== null || favourite || template) placements.set(id, { folder, favourite, template })
  }
  const order: StoredOrder = { principal, folders, placements: [...placements].slice(-MAX_PLACED) }
  try {
    localStorage.setItem(ORDER_KEY, JSON.stringify(order))
  } catch {
    // The browser stores nothing: without the server the list has no folders then.
  }
}

export function isInPlace(
  { id, role }: DeviceDocument,
  place: ListPlace,
  { placements }: DeviceOrder,
): boolean {
  const placement = placements.get(id)
  if (place.kind === 'folder') return placement?.folder === place.id
  if (place.kind === 'trash') return false
  const { filter } = place
  if (filter === 'favourites') return placement?.favourite === true
  if (filter === 'templates') return placement?.template === true
  if (filter === 'owned') return role === 'owner'
  if (filter === 'shared') return role !== 'owner'
  return true
}
