/** Which element shows which part of the shared text, where the text is only read. Leaves no trace in the page. */
import type * as Y from 'yjs'

type TextBlock = Y.XmlElement | Y.XmlFragment

export class TextElementMap {
  readonly #elements = new WeakMap<object, Element>()
  readonly #blocks = new WeakMap<Element, Y.XmlElement>()

  /** For an element's `ref`. Null takes nothing away: who is not in the page any more is not found there. */
  readonly ref =
    (block: Y.XmlElement) =>
    (element: Element | null): void => {
      if (!element) return
      this.#elements.set(block, element)
      this.#blocks.set(element, block)
    }

  /** Undefined for what is not shown. */
  elementOf(block: TextBlock): Element | undefined {
    const element = this.#elements.get(block)
    return element?.isConnected ? element : undefined
  }

  blockOf(element: Element): Y.XmlElement | undefined {
    return this.#blocks.get(element)
  }
}
