/** Shows brief messages. Its code is fetched with the first one. Knows no React. */
import type { ExternalToast, toast as sonnerToast } from 'sonner'
import { strings } from '@/lib/strings/ui.ts'

type Toast = typeof sonnerToast

const toasterReady = Promise.withResolvers<Toast>()

/** Called once the toaster is on screen, because earlier messages would be lost. */
export const setToaster = (toast: Toast): void => toasterReady.resolve(toast)

const firstToast = Promise.withResolvers<void>()

let onFirstToast: (() => void) | undefined

const showToast = (run: (toast: Toast) => void): void => {
  firstToast.resolve()
  void toasterReady.promise.then(run)
}

/** Reports the first message, even if that came before the listener. Returns a function that unsubscribes. */
export function listenForFirstToast(listener: () => void): () => void {
  void firstToast.promise.then(() => onFirstToast?.())
  onFirstToast = listener
  return () => (onFirstToast = undefined)
}

export const toast = Object.assign(
  (message: string, options?: ExternalToast): void => showToast((real) => void real(message, options)),
  {
    error: (message: string, options?: ExternalToast): void =>
      showToast((real) => void real.error(message, options)),
  },
)

/** For code that is fetched when it is first needed. */
export const toastNotLoaded = (): void => toast.error(strings.notLoaded)
