/** This window's caret as the others hear of it: only while the window has the keyboard (W6), and once for each place. */
import { Extension } from '@tiptap/core'
import { Plugin } from '@tiptap/pm/state'
import type { Awareness } from 'y-protocols/awareness'

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

export class OwnCaret {
  /** For the editor's binding, which knows the focus inside a window but not that of the window. */
  readonly awareness: Awareness
  readonly #real: Awareness
  #away = false

  constructor(awareness: Awareness) {
    this.#real = awareness
    this.awareness = Object.create(awareness, {
      setLocalStateField: { value: (field: string, value: unknown) => this.#tell(field, value) },
    }) as Awareness
  }

  /** The window lost the keyboard: its caret goes, whatever the binding says from now on. */
  leave(): void {
    this.#away = true
    this.#tell('cursor', null)
  }

  comeBack(): void {
    this.#away = false
  }

  /** The binding repeats the caret at each change of somebody else: 330 bytes a key, to say what everybody knows. */
  #tell(field: string, value: unknown): void {
    const told = field === 'cursor' && this.#away ? null : value
    const known = this.#real.getLocalState()?.[field] ?? null
    if (!isSame(told, known)) this.#real.setLocalStateField(field, told)
  }
}

export const ownCaretWatch = (caret: OwnCaret): Extension =>
  Extension.create({
    name: 'ownCaret',
    addProseMirrorPlugins() {
      return [new Plugin({ view: (view) => watchWindow(caret, () => view.dispatch(view.state.tr)) })]
    },
  })

/** @param tellAgain Makes the binding tell where the caret is. */
function watchWindow(caret: OwnCaret, tellAgain: () => void): { destroy(): void } {
  const stop = new AbortController()
  const comeBack = () => {
    caret.comeBack()
    tellAgain()
  }
  addEventListener('blur', () => caret.leave(), stop)
  addEventListener('focus', comeBack, stop)
  return { destroy: () => stop.abort() }
}
