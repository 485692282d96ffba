import type { StorageUsage } from '@/components/http-api.ts'

/** It stands apart from the rest of the API, which each page loads at first. */
export async function fetchStorage(): Promise<StorageUsage> {
  const response = await fetch('/api/storage')
  if (!response.ok) throw new Error(response.statusText)
  return (await response.json()) as StorageUsage
}
