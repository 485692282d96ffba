'use client'

import { useQuery } from '@tanstack/react-query'
import type { RedeemedShareLink } from '@/components/http-api'

export const redeemedLinkKey = (document: string) => ['arrival', document] as const

/** What the link gave by which this page was opened; undefined where it was opened without one. */
export const useRedeemedLink = (document: string): RedeemedShareLink | undefined =>
  useQuery<RedeemedShareLink>({
    queryKey: redeemedLinkKey(document),
    enabled: false,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data
