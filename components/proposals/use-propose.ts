'use client'

import { useRouter } from 'next/navigation'
import type { OpenDocument } from '@/lib/client.ts'
import { useRequest } from '@/components/ui/use-request.ts'
import { beginProposal } from './propose.ts'

/** Begins a proposal and goes to it. */
export function usePropose(document: string, opened: OpenDocument) {
  const router = useRouter()
  const { run, state } = useRequest((title: string) => beginProposal(document, opened, title))
  const propose = async (title = '') => {
    const created = await run(title)
    if (created) router.push(`/d/${created}`)
  }
  return { propose: (title?: string) => void propose(title), isBusy: state === 'pending' || state === 'done' }
}
