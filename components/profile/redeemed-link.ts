'use client'

import { create } from 'zustand'
import type { RedeemedShareLink } from '@/components/http-api.ts'

/** By document. */
export const useRedeemedLinks = create<Readonly<Record<string, RedeemedShareLink>>>(() => ({}))

export const setRedeemedLink = (document: string, link: RedeemedShareLink): void =>
  useRedeemedLinks.setState({ [document]: link })

/** What the share link that opened this page granted; undefined if there was none. */
export const useRedeemedLink = (document: string): RedeemedShareLink | undefined =>
  useRedeemedLinks((links) => links[document])
