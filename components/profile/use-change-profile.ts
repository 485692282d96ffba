'use client'

import { api, type Profile } from '@/components/http-api.ts'
import { rememberProfile } from './remembered-profile.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { setOwnProfile } from './own-profile.ts'

/** The server notifies everybody; this window and the browser's others take the profile from its answer. */
export const useChangeProfile = () => useRequest(changeProfile)

async function changeProfile(change: Parameters<typeof api.changeProfile>[0]): Promise<Profile> {
  const profile = await api.changeProfile(change)
  rememberProfile(profile)
  setOwnProfile(profile)
  return profile
}
