'use client'

import { useEffect } from 'react'
import { create } from 'zustand'
import { fetchProfile, PROFILE_KEY, rememberedProfile } from './remembered-profile.ts'
import type { Profile } from '@/components/http-api.ts'

/** The person of this browser. The profile is remembered, so that a document also opens without the server. */
export interface OwnProfile {
  readonly profile: Profile | undefined
  /** `asking`: the profile, if any, is the remembered one. `failed`: the server did not say who this is. */
  readonly state: 'asking' | 'known' | 'failed'
}

/** In ms. A request that failed is repeated once. */
const RETRY_DELAY_MS = 1_000

const useStore = create<OwnProfile>(() => ({ profile: rememberedProfile(), state: 'asking' }))

let latestRequest = 0
let isFetching = false

export const getOwnProfile = useStore.getState

/** What is still on its way is older, and is ignored. */
export function setOwnProfile(profile: Profile): void {
  latestRequest++
  isFetching = false
  useStore.setState({ profile, state: 'known' })
}

export async function refetchOwnProfile(): Promise<void> {
  const request = ++latestRequest
  isFetching = true
  const profile = await fetchProfileTwice()
  if (request !== latestRequest) return
  isFetching = false
  if (profile) setOwnProfile(profile)
  else if (useStore.getState().state !== 'known') useStore.setState({ profile: undefined, state: 'failed' })
}

const fetchProfileTwice = (): Promise<Profile | null> =>
  fetchProfile()
    .catch(() => new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS)).then(fetchProfile))
    .catch(() => null)

function fetchUnlessKnown(): void {
  if (!isFetching && useStore.getState().state !== 'known') void refetchOwnProfile()
}

/** The first component that uses it asks the server. */
export function useOwnProfile(): OwnProfile {
  useEffect(fetchUnlessKnown, [])
  return useStore()
}

/** Takes over what another window of this browser learned about its person. Returns a function that stops it. */
export function shareProfileBetweenWindows(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    const remembered = key === PROFILE_KEY ? rememberedProfile() : undefined
    const { profile, state } = useStore.getState()
    if (state === 'known' && remembered && remembered.id === profile?.id) setOwnProfile(remembered)
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

/** Asks again where the server did not answer, whenever the person comes back to the window. */
export function retryWhenVisible(): () => void {
  const onVisibilityChange = () => {
    if (document.visibilityState === 'visible' && useStore.getState().state === 'failed') fetchUnlessKnown()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  return () => document.removeEventListener('visibilitychange', onVisibilityChange)
}
