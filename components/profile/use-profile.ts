'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/components/api'
import { rememberMe } from '@/components/documents/me'
import { meKey } from '@/components/documents/queries'

/** The server tells everybody; this window and the browser's others take it over from its answer. */
export function useChangeProfile() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: api.changeMe,
    onSuccess: (me) => {
      rememberMe(me)
      client.setQueryData(meKey, me)
    },
  })
}
