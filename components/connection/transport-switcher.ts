/** Switches between transports as a person chooses. The person may choose again before the first switch has ended. */
import type { OpenDocument } from '@/lib/client.ts'
import { connectionStrings } from '@/lib/strings/connection.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { rememberTransport } from './remembered-transport.ts'
import { transportNameOf } from './connection-text.ts'

export interface TransportSwitchState {
  /** The choice that is still being tried. */
  readonly pending: TransportChoice | null
  readonly problem: string | null
}

type Switchable = Pick<OpenDocument, 'switchTransport'>

/** @param onStateChange Reports the latest choice only. A choice that a later one replaced was given up, which is no problem. */
export function createTransportSwitcher(
  opened: Switchable,
  onStateChange: (state: TransportSwitchState) => void,
) {
  let choiceCount = 0
  return async (choice: TransportChoice, thisWindowOnly: boolean): Promise<void> => {
    const ownNumber = ++choiceCount
    onStateChange({ pending: choice, problem: null })
    const problem = await trySwitch(opened, choice, thisWindowOnly)
    if (ownNumber === choiceCount) onStateChange({ pending: null, problem })
  }
}

/** Remembers a choice only after it has worked: a failed one must not lock out the next window. */
async function trySwitch(opened: Switchable, choice: TransportChoice, thisWindowOnly: boolean) {
  try {
    await opened.switchTransport(choice)
    rememberTransport(choice, thisWindowOnly)
    return null
  } catch (error) {
    return connectionStrings.switchFailed(
      transportNameOf(choice),
      error instanceof Error ? error.message : '',
    )
  }
}
