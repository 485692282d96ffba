/** Which element shows which part of the shared text, where the text is only read. Leaves no trace in the page. */
import type * as Y from 'yjs'

type Part = Y.XmlElement | Y.XmlFragment

export class TextMap {
  readonly #elements = new WeakMap<object, Element>()
  readonly #parts = new WeakMap<Element, Y.XmlElement>()

  /** For an element's `ref`. Null takes nothing away: who is not in the page any more is not found there. */
  readonly ref =
    (part: Y.XmlElement) =>
    (element: Element | null): void => {
      if (!element) return
      this.#elements.set(part, element)
      this.#parts.set(element, part)
    }

  /** Undefined for what is not shown. */
  elementOf(part: Part): Element | undefined {
    const element = this.#elements.get(part)
    return element?.isConnected ? element : undefined
  }

  partOf(element: Element): Y.XmlElement | undefined {
    return this.#parts.get(element)
  }
}
