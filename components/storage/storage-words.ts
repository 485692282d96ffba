import type { StorageUsage } from '@/components/http-api.ts'
import { storageStrings } from '@/lib/strings/storage.ts'

/** Says what a person can do about a space that is full or soon will be. */
export function storageWarning({ usedBytes, limitBytes, serverHasRoom }: StorageUsage) {
  if (!serverHasRoom) return { title: storageStrings.serverTitle, hint: storageStrings.serverHint }
  const isFull = limitBytes !== null && usedBytes >= limitBytes
  return {
    title: isFull ? storageStrings.fullTitle : storageStrings.nearlyFullTitle,
    hint: storageStrings.hint,
  }
}
