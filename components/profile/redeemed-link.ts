'use client'

import { useQuery } from '@tanstack/react-query'
import type { RedeemedShareLink } from '@/components/http-api.ts'

export const redeemedLinkKey = (document: string) => ['arrival', document] as const

/** What the share link that opened this page granted; undefined if there was none. */
export const useRedeemedLink = (document: string): RedeemedShareLink | undefined =>
  useQuery<RedeemedShareLink>({
    queryKey: redeemedLinkKey(document),
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data
