'use client'

import { useRouter } from 'next/navigation'
import type { OpenDocument } from '@/lib/client.ts'
import { api } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

/** Begins a proposal with the text that is on screen, and goes to it. */
export function usePropose(document: string, opened: OpenDocument) {
  const router = useRouter()
  const { run, state } = useRequest(async (title: string) => {
    try {
      await opened.whenSaved()
      return await api.createProposal(document, title)
    } catch (error) {
      toast.error(proposalsStrings.propose.failed((error as Error).message))
      throw error
    }
  })
  const propose = async (title = '') => {
    const created = await run(title)
    if (created) router.push(`/d/${created.id}`)
  }
  return { propose: (title?: string) => void propose(title), isBusy: state === 'pending' || state === 'done' }
}
