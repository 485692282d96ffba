/** Knows which element shows which node of the shared text in a read-only view. Leaves no trace in the page. */
import type * as Y from 'yjs'

type TextBlock = Y.XmlElement | Y.XmlFragment

export class TextElementMap {
  readonly #elements = new WeakMap<object, Element>()
  readonly #blocks = new WeakMap<Element, Y.XmlElement>()

  /** For an element's `ref`. Null removes nothing: an element that has left the page is ignored on lookup. */
  readonly ref =
    (block: Y.XmlElement) =>
    (element: Element | null): void => {
      if (!element) return
      this.#elements.set(block, element)
      this.#blocks.set(element, block)
    }

  /** Undefined for a block that is not shown. */
  elementOf(block: TextBlock): Element | undefined {
    const element = this.#elements.get(block)
    return element?.isConnected ? element : undefined
  }

  blockOf(element: Element): Y.XmlElement | undefined {
    return this.#blocks.get(element)
  }
}
