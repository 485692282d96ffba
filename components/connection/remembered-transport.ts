/** Stores the chosen transport: for the person, and for a single window that uses another one. */
import { create } from 'zustand'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { transportChoices } from '@/lib/windows/window-requests.ts'

export const transportKey = 'diptych.transport'

type StorageName = 'localStorage' | 'sessionStorage'

/** Storage may be blocked, then nothing is remembered. Its content is untrusted. */
function readTransport(storageName: StorageName): TransportChoice | undefined {
  try {
    const value = window[storageName].getItem(transportKey)
    return transportChoices.find((choice) => choice === value)
  } catch {
    return undefined
  }
}

function writeTransport(storageName: StorageName, choice: TransportChoice | null): void {
  try {
    if (choice) window[storageName].setItem(transportKey, choice)
    else window[storageName].removeItem(transportKey)
  } catch {
    // Without storage, the choice holds until this window closes.
  }
}

export const rememberedTransport = (): TransportChoice =>
  readTransport('sessionStorage') ?? readTransport('localStorage') ?? 'automatic'

/** A choice for this window alone overrides the person's choice until it is cleared. */
export function rememberTransport(choice: TransportChoice, thisWindowOnly: boolean): void {
  writeTransport('sessionStorage', thisWindowOnly ? choice : null)
  if (!thisWindowOnly) writeTransport('localStorage', choice)
}

interface TransportScope {
  readonly thisWindowOnly: boolean
  readonly setThisWindowOnly: (thisWindowOnly: boolean) => void
}

/** The state of this window. */
export const useTransportScope = create<TransportScope>((set) => ({
  thisWindowOnly: typeof window !== 'undefined' && readTransport('sessionStorage') !== undefined,
  setThisWindowOnly: (thisWindowOnly) => set({ thisWindowOnly }),
}))
