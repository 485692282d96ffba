'use client'

import { useMemo, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { switcher, type SwitchState } from './switcher'

export interface Switching extends SwitchState {
  readonly choose: (choice: TransportChoice, onlyHere: boolean) => void
}

/** Switches live (S4). */
export function useSwitch(opened: OpenDocument): Switching {
  const [state, setState] = useState<SwitchState>({ pending: null, problem: null })
  const run = useMemo(() => switcher(opened, setState), [opened])
  return { ...state, choose: (choice, onlyHere) => void run(choice, onlyHere) }
}
