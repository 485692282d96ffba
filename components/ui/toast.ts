/**
 * Shows brief messages. Its code is fetched with the first one, and again with each one after it that finds none. Knows no React.
 */
import type { ExternalToast, toast as sonnerToast } from 'sonner'
import { uiStrings } from '@/lib/strings/ui.ts'

type Toast = typeof sonnerToast

interface WaitingMessage {
  readonly id: ExternalToast['id']
  readonly message: string
  readonly show: (toast: Toast) => void
}

let toaster: Toast | undefined
let waitingMessages: readonly WaitingMessage[] = []
let onNeeded: (() => void) | undefined

/** Called once the toaster is on screen, because earlier messages would be lost. */
export function setToaster(toast: Toast): void {
  toaster = toast
  const messages = waitingMessages
  waitingMessages = []
  for (const { show } of messages) show(toast)
}

/** Calls the listener for each message that finds no toaster, even if it came before the listener. Returns a function that unsubscribes. */
export function onToasterNeeded(listener: () => void): () => void {
  onNeeded = listener
  if (waitingMessages.length > 0) listener()
  return () => {
    if (onNeeded === listener) onNeeded = undefined
  }
}

/** Takes the messages that wait for the toaster, to be shown without it. */
export function takeWaitingMessages(): readonly string[] {
  const messages = waitingMessages.map(({ message }) => message)
  waitingMessages = []
  return messages
}

function showMessage(message: string, id: WaitingMessage['id'], show: WaitingMessage['show']): void {
  if (toaster) return show(toaster)
  waitingMessages = [...waitingMessages, { id, message, show }]
  onNeeded?.()
}

export const toast = Object.assign(
  (message: string, options?: ExternalToast): void =>
    showMessage(message, options?.id, (real) => void real(message, options)),
  {
    error: (message: string, options?: ExternalToast): void =>
      showMessage(message, options?.id, (real) => void real.error(message, options)),
    dismiss(id: string): void {
      waitingMessages = waitingMessages.filter((waiting) => waiting.id !== id)
      toaster?.dismiss(id)
    },
  },
)

/** For code that is fetched when it is first needed. */
export const toastNotLoaded = (): void => toast.error(uiStrings.notLoaded)
