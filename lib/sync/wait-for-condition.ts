/** Waits until a condition is met, or until it is clear that it never will be. */
import { describeClose } from '../protocol/close.ts'
import type { CloseReason } from '../protocol/close.ts'

/** The document is missing or not for this person, or the session was stopped for good. */
export class DocumentRefused extends Error {
  override readonly name = 'DocumentRefused'
  readonly reason: CloseReason

  constructor(reason: CloseReason) {
    super(describeClose(reason))
    this.reason = reason
  }
}

interface WaitCondition {
  subscribe(listener: () => void): () => void
  isMet(): boolean
  /** Why the condition will never be met. */
  refusal(): CloseReason | undefined
}

/** @throws {DocumentRefused} */
export function waitForCondition({ subscribe, isMet, refusal }: WaitCondition): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = (): boolean => {
      const reason = refusal()
      if (reason) reject(new DocumentRefused(reason))
      else if (isMet()) resolve()
      else return false
      return true
    }
    if (check()) return
    const stop = subscribe(() => check() && stop())
  })
}
