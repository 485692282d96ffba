/** Switches from one transport to another as a person chooses, who may choose again before the first choice is decided. */
import type { OpenDocument } from '@/lib/client.ts'
import { strings } from '@/lib/strings/connection.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { rememberTransport } from './remembered-transport.ts'
import { transportNameOf } from './connection-text.ts'

export interface TransportSwitchState {
  /** What was asked for and is not decided yet. */
  readonly pending: TransportChoice | null
  readonly problem: string | null
}

type Switchable = Pick<OpenDocument, 'switchTransport'>

/** @param onStateChange Hears of the latest choice alone: one that another overtook was given up, which is no problem. */
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

/** A choice is remembered once it carried: one that failed must not lock the next window out. */
async function trySwitch(opened: Switchable, choice: TransportChoice, thisWindowOnly: boolean) {
  try {
    await opened.switchTransport(choice)
    rememberTransport(choice, thisWindowOnly)
    return null
  } catch (error) {
    return strings.switchFailed(transportNameOf(choice), error instanceof Error ? error.message : '')
  }
}
