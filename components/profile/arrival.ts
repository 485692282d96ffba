'use client'

import { useQuery } from '@tanstack/react-query'
import type { Arrival } from '@/components/api'

export const arrivalKey = (document: string) => ['arrival', document] as const

/** What the link gave by which this page was opened; undefined where it was opened without one. */
export const useArrival = (document: string): Arrival | undefined =>
  useQuery<Arrival>({ queryKey: arrivalKey(document), enabled: false, staleTime: Infinity, gcTime: Infinity })
    .data
