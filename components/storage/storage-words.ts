import type { StorageUsage } from '@/components/http-api.ts'
import { strings } from '@/lib/strings/storage.ts'

/** Says what a person can do about a space that is full or soon will be. */
export function storageWarning({ usedBytes, limitBytes, serverHasRoom }: StorageUsage) {
  if (!serverHasRoom) return { title: strings.serverTitle, hint: strings.serverHint }
  const isFull = limitBytes !== null && usedBytes >= limitBytes
  return { title: isFull ? strings.fullTitle : strings.nearlyFullTitle, hint: strings.hint }
}
