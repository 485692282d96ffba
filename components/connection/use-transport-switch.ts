'use client'

import { useMemo, useState } from 'react'
import type { OpenDocument } from '@/lib/client.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { createTransportSwitcher, type TransportSwitchState } from './transport-switcher.ts'

export interface TransportSwitchControl extends TransportSwitchState {
  readonly choose: (choice: TransportChoice, thisWindowOnly: boolean) => void
}

/** Switches the transport without a reload (S4). */
export function useTransportSwitch(opened: OpenDocument): TransportSwitchControl {
  const [state, setState] = useState<TransportSwitchState>({ pending: null, problem: null })
  const switchTransport = useMemo(() => createTransportSwitcher(opened, setState), [opened])
  return { ...state, choose: (choice, thisWindowOnly) => void switchTransport(choice, thisWindowOnly) }
}
