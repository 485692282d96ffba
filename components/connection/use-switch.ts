'use client'

import { useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { nameOf } from './words'
import { rememberChoice } from './choice'

export interface Switching {
  /** What was asked for and is not decided yet. */
  readonly pending: TransportChoice | null
  readonly problem: string | null
  readonly choose: (choice: TransportChoice, onlyHere: boolean) => void
}

/** Switches live (S4). A choice is remembered once it carried: one that failed must not lock the next window out. */
export function useSwitch(opened: OpenDocument): Switching {
  const [pending, setPending] = useState<TransportChoice | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  async function run(choice: TransportChoice, onlyHere: boolean) {
    setPending(choice)
    setProblem(null)
    try {
      await opened.switchTransport(choice)
      rememberChoice(choice, onlyHere)
    } catch (error) {
      setProblem(`${nameOf(choice)} did not come up. ${error instanceof Error ? error.message : ''}`)
    } finally {
      setPending((current) => (current === choice ? null : current))
    }
  }

  return { pending, problem, choose: (choice, onlyHere) => void run(choice, onlyHere) }
}
