/** Says something in passing. Its code is fetched with the first word. Knows no React. */
import type { ExternalToast, toast as sonnerToast } from 'sonner'
import { strings } from '@/lib/strings/ui.ts'

type Toast = typeof sonnerToast

const ready = Promise.withResolvers<Toast>()

/** Once the toaster is on screen: what was said before it would be lost. */
export const toasterIsThere = (toast: Toast): void => ready.resolve(toast)

const firstWord = Promise.withResolvers<void>()

let mount: (() => void) | undefined

const say = (run: (toast: Toast) => void): void => {
  firstWord.resolve()
  void ready.promise.then(run)
}

/** Hears that there is something to say, also when that was before it listened. Returns its undo. */
export function whenWanted(listener: () => void): () => void {
  void firstWord.promise.then(() => mount?.())
  mount = listener
  return () => (mount = undefined)
}

export const toast = Object.assign(
  (message: string, options?: ExternalToast): void => say((real) => void real(message, options)),
  {
    error: (message: string, options?: ExternalToast): void =>
      say((real) => void real.error(message, options)),
  },
)

/** Of what is fetched when it is first wanted. */
export const sayNotLoaded = (): void => toast.error(strings.notLoaded)
