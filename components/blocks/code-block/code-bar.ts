/** The bar above code, as plain elements: there may be hundreds. Its words are drawn, so that they are no letters of the code. */
import { settingsStore } from '@/components/settings/settings-store.ts'
import { toast } from '@/components/ui/toast.ts'
import { codeBlockStrings } from '@/lib/strings/code-block.ts'
import { type BlockPopup, openBlockPopup } from '../open-block-popup.tsx'
import { createViewButton, createViewPart } from '../view-parts.ts'
import { CodeLanguagePicker } from './code-language-picker.tsx'
import { CodeLinesMenu } from './code-lines-menu.tsx'
import { codeLanguageName, lineNumbersOf } from './code-name.ts'
import { MAX_HIGHLIGHTED_LETTERS } from './code-tokens.ts'

/** The editor and the block that the bar belongs to. */
export interface BarredCode {
  language(): string | null
  letters(): string
  /** Undefined where nobody may write. */
  readonly chooseLanguage: ((language: string | null) => void) | undefined
  /** Selects the code for copying by keyboard, where the clipboard is blocked. */
  select(): void
}

/** How long a button says that it has copied. In ms. */
const COPIED_MS = 2_000

export class CodeBar {
  readonly bar = createViewPart('span', 'code-bar')
  readonly gutter = createViewPart('span', 'code-numbers')
  readonly #pre: HTMLElement
  readonly #code: BarredCode
  readonly #language = createViewButton('code-language')
  readonly #note = createViewPart('span', 'code-note')
  readonly #lines = createViewButton('code-lines', codeBlockStrings.lines)
  readonly #copy = createViewButton('code-copy', codeBlockStrings.copy)
  readonly #unsubscribe: () => void
  #popup: BlockPopup | null = null

  constructor(pre: HTMLElement, code: BarredCode) {
    this.#pre = pre
    this.#code = code
    this.gutter.ariaHidden = 'true'
    this.#language.addEventListener('click', this.#openPicker)
    this.#lines.addEventListener('click', this.#openMenu)
    this.#copy.addEventListener('click', () => void this.#copyCode())
    this.#language.ariaHasPopup = 'dialog'
    this.#lines.ariaHasPopup = 'menu'
    this.bar.append(this.#language, this.#note, this.#lines, this.#copy)
    this.#unsubscribe = settingsStore.subscribe(() => this.show())
    this.show()
  }

  /** Called after each change of the code. */
  show(): void {
    const name = codeLanguageName(this.#code.language())
    this.#language.dataset.name = name
    this.#language.ariaLabel = codeBlockStrings.language(name)
    this.#language.disabled = this.#code.chooseLanguage === undefined
    const letters = this.#code.letters()
    const isTooLong = this.#code.language() !== null && letters.length > MAX_HIGHLIGHTED_LETTERS
    this.#note.dataset.note = isTooLong ? codeBlockStrings.tooLong : ''
    const { codeLines } = settingsStore.get()
    this.#pre.dataset.lines = codeLines
    const numbers = codeLines === 'numbered' ? lineNumbersOf(letters) : ''
    if (this.gutter.dataset.numbers !== numbers) this.gutter.dataset.numbers = numbers
  }

  destroy(): void {
    this.#unsubscribe()
    this.#popup?.close()
  }

  readonly #openPicker = (): void => {
    const { chooseLanguage } = this.#code
    if (!chooseLanguage) return
    const props = { language: this.#code.language(), onChoose: chooseLanguage }
    this.#popup = openBlockPopup(CodeLanguagePicker, this.#language, props)
  }

  readonly #openMenu = (): void => {
    this.#popup = openBlockPopup(CodeLinesMenu, this.#lines, {})
  }

  async #copyCode(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#code.letters())
    } catch {
      this.#code.select()
      toast(codeBlockStrings.selected, { id: 'copied' })
      return
    }
    this.#copy.dataset.copied = ''
    this.#copy.ariaLabel = codeBlockStrings.copied
    setTimeout(() => {
      delete this.#copy.dataset.copied
      this.#copy.ariaLabel = codeBlockStrings.copy
    }, COPIED_MS)
  }
}
