import { fetchJson, type StorageUsage } from '@/components/http-api.ts'

/** It stands apart from the rest of the API, which each page loads at first. */
export const fetchStorage = (signal?: AbortSignal): Promise<StorageUsage> => fetchJson('/storage', signal)
