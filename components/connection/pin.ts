/** What a window says while it cannot connect, and the way out of a transport that was chosen where it still worked. */
import type { OpenDocument } from '@/lib/client.ts'
import { describeClose } from '@/lib/protocol/close.ts'
import { strings } from '@/lib/strings/connection.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { rememberChoice } from './choice.ts'
import { nameOf } from './words.ts'

type Tried = Pick<StableSyncStatus, 'choice' | 'evidence' | 'setAside'>

/** Taken from the evidence, not from the link: that changes to and fro with each try, and the sentence would with it. */
export function waitingSentence({ choice, evidence, setAside }: Tried): string {
  if (setAside) return describeClose(setAside)
  const counts = evidence.filter(
    ({ transport, at }) => at !== undefined && (choice === 'automatic' || transport === choice),
  )
  const latest = counts.toSorted((a, b) => b.at! - a.at!)[0]
  const why = latest ? strings.waiting.failed(nameOf(latest.transport), latest.words) : strings.waiting.silent
  return choice === 'automatic' ? why : strings.waiting.pinned(nameOf(choice), why)
}

/** Forgets the pin at once: it carried nothing, and the next window must not meet it again. */
export async function allowAnyTransport(
  opened: Pick<OpenDocument, 'switchTransport'>,
  onlyHere: boolean,
): Promise<void> {
  rememberChoice('automatic', onlyHere)
  // A failure is in the status, and is tried again from there.
  await opened.switchTransport('automatic').catch(() => undefined)
}
