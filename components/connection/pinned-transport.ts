/** What a window says while it cannot connect, and the way out of a transport that was chosen where it still worked. */
import type { OpenDocument } from '@/lib/client.ts'
import { describeClose } from '@/lib/protocol/close.ts'
import { strings } from '@/lib/strings/connection.ts'
import type { StableSyncStatus } from '@/lib/sync/status.ts'
import { rememberTransport } from './remembered-transport.ts'
import { transportNameOf } from './connection-text.ts'

type WaitingStatus = Pick<StableSyncStatus, 'choice' | 'evidence' | 'setAside'>

/** Taken from the evidence, not from the link: that changes to and fro with each try, and the sentence would with it. */
export function waitingSentence({ choice, evidence, setAside }: WaitingStatus): string {
  if (setAside) return describeClose(setAside)
  const triedFindings = evidence.filter(
    ({ transport, at }) => at !== undefined && (choice === 'automatic' || transport === choice),
  )
  const latest = triedFindings.toSorted((a, b) => b.at! - a.at!)[0]
  const reasonText = latest
    ? strings.waiting.failed(transportNameOf(latest.transport), latest.words)
    : strings.waiting.silent
  return choice === 'automatic' ? reasonText : strings.waiting.pinned(transportNameOf(choice), reasonText)
}

/** Forgets the pin at once: it carried nothing, and the next window must not meet it again. */
export async function allowAnyTransport(
  opened: Pick<OpenDocument, 'switchTransport'>,
  thisWindowOnly: boolean,
): Promise<void> {
  rememberTransport('automatic', thisWindowOnly)
  // A failure is in the status, and is tried again from there.
  await opened.switchTransport('automatic').catch(() => undefined)
}
