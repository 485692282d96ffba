/** Says something in passing. Its code is fetched with the first word. Knows no React. */
import type { ExternalToast, toast as sonnerToast } from 'sonner'
import { strings } from '@/lib/strings/ui.ts'

type Toast = typeof sonnerToast

const toasterReady = Promise.withResolvers<Toast>()

/** Once the toaster is on screen: what was said before it would be lost. */
export const setToaster = (toast: Toast): void => toasterReady.resolve(toast)

const firstToast = Promise.withResolvers<void>()

let onFirstToast: (() => void) | undefined

const showToast = (run: (toast: Toast) => void): void => {
  firstToast.resolve()
  void toasterReady.promise.then(run)
}

/** Hears that there is something to say, also when that was before it listened. Returns its undo. */
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

/** Of what is fetched when it is first wanted. */
export const toastNotLoaded = (): void => toast.error(strings.notLoaded)
