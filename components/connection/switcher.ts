/** Switches from one transport to another as a person chooses, who may choose again before the first choice is decided. */
import type { OpenDocument } from '@/lib/client.ts'
import { strings } from '@/lib/strings/connection.ts'
import type { TransportChoice } from '@/lib/sync/status.ts'
import { rememberChoice } from './choice.ts'
import { nameOf } from './words.ts'

export interface SwitchState {
  /** What was asked for and is not decided yet. */
  readonly pending: TransportChoice | null
  readonly problem: string | null
}

type Switchable = Pick<OpenDocument, 'switchTransport'>

/** @param tell Hears of the latest choice alone: one that another overtook was given up, which is no problem. */
export function switcher(opened: Switchable, tell: (state: SwitchState) => void) {
  let choices = 0
  return async (choice: TransportChoice, onlyHere: boolean): Promise<void> => {
    const mine = ++choices
    tell({ pending: choice, problem: null })
    const problem = await problemOf(opened, choice, onlyHere)
    if (mine === choices) tell({ pending: null, problem })
  }
}

/** A choice is remembered once it carried: one that failed must not lock the next window out. */
async function problemOf(opened: Switchable, choice: TransportChoice, onlyHere: boolean) {
  try {
    await opened.switchTransport(choice)
    rememberChoice(choice, onlyHere)
    return null
  } catch (error) {
    return strings.switchFailed(nameOf(choice), error instanceof Error ? error.message : '')
  }
}
