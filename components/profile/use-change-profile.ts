'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/components/http-api.ts'
import { rememberProfile } from '@/components/documents/remembered-profile.ts'
import { profileKey } from '@/components/documents/document-queries.ts'

/** The server notifies everybody; this window and the browser's others take the profile from its answer. */
export function useChangeProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: api.changeProfile,
    onSuccess: (profile) => {
      rememberProfile(profile)
      client.setQueryData(profileKey, profile)
    },
  })
}
