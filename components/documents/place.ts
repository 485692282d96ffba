'use client'

/** Which documents the list shows. A filter is remembered; a folder and the trash stand in the address, so that Back and a reload find them. */
import { useSyncExternalStore } from 'react'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { useSettings } from '@/components/settings/use-settings.ts'
import type { ListFilter } from '@/lib/desk/settings.ts'
import { Subscribable } from '@/lib/subscribable.ts'

export type ListPlace =
  | { readonly kind: 'filter'; readonly filter: ListFilter }
  | { readonly kind: 'folder'; readonly id: string }
  | { readonly kind: 'trash' }

const changes: Subscribable = new Subscribable(
  () => addEventListener('popstate', notify),
  () => removeEventListener('popstate', notify),
)

function notify(): void {
  changes.notify()
}

const readAddress = (): string => new URLSearchParams(location.search).get('in') ?? ''

export function usePlace(): ListPlace {
  const { listFilter: filter } = useSettings()
  const inside = useSyncExternalStore(changes.subscribe, readAddress, () => '')
  if (inside === '') return { kind: 'filter', filter }
  return inside === 'trash' ? { kind: 'trash' } : { kind: 'folder', id: inside }
}

export function goToPlace(place: ListPlace): void {
  if (place.kind === 'filter') settingsStore.set('listFilter', place.filter)
  const inside = { filter: '', folder: 'id' in place ? place.id : '', trash: 'trash' }[place.kind]
  if (inside === readAddress()) return
  history.pushState(null, '', inside ? `/?in=${encodeURIComponent(inside)}` : '/')
  notify()
}

export const isSamePlace = (a: ListPlace, b: ListPlace): boolean => JSON.stringify(a) === JSON.stringify(b)
