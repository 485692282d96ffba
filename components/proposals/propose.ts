import type { OpenDocument } from '@/lib/client.ts'
import { api } from '@/components/http-api.ts'
import { toast } from '@/components/ui/toast.ts'
import { proposalsStrings } from '@/lib/strings/proposals.ts'

/** Begins a proposal with the text that is on screen. Returns its id. @throws what went wrong, after a toast has said it. */
export async function beginProposal(document: string, opened: OpenDocument, title = ''): Promise<string> {
  try {
    await opened.whenSaved()
    return (await api.createProposal(document, title)).id
  } catch (error) {
    toast.error(proposalsStrings.propose.failed((error as Error).message))
    throw error
  }
}
