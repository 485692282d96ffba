/** A read-only text as a surface. It counts letters: an element shows the letters of its block in order, and no others. */
import * as Y from 'yjs'
import {
  type YjsPosition,
  resolvePosition,
  encodePositionAt,
  startPositionOf,
  type TextPosition,
} from '@/lib/following/text-position.ts'
import { openTogglesAround } from './open-toggles-around.ts'
import type { SurfaceView, Surface, ScrollTarget } from '@/lib/following/surface.ts'
import { type DomPoint, renderAround, pointAt, pointBelow, rectOf, textsIn } from './text-geometry.ts'
import { createSelectionHighlight } from './selection-highlight.ts'
import { type TextScroller, visibleRangeOf } from './text-scroller.ts'
import type { TextElementMap } from './text-element-map.ts'

/** For so long after the last scroll, in ms, a change above is attributed to text that had not been drawn yet. */
const RENDERING_MS = 5_000

export class ReadingSurface implements Surface {
  readonly #container: Element
  readonly #map: TextElementMap
  readonly #fragment: Y.XmlFragment
  readonly #scroller: TextScroller
  #focusPosition: TextPosition | null = null
  /** Where it scrolled to, or will once that is drawn; null after the person scrolls. */
  #target: ScrollTarget | null = null
  #scrolledAt = -Infinity
  readonly #highlightSelection = createSelectionHighlight()

  constructor(container: Element, map: TextElementMap, fragment: Y.XmlFragment, scroller: TextScroller) {
    this.#container = container
    this.#map = map
    this.#fragment = fragment
    this.#scroller = scroller
  }

  readView(): SurfaceView | null {
    const top = this.#topPosition()
    return top && { top, focus: this.#focusPosition ?? top }
  }

  /** The scroll target is not what the person looks at any more. */
  onScroll(): void {
    this.onUserInput()
    this.#focusPosition = null
  }

  scrollTo(target: ScrollTarget): boolean {
    this.#focusPosition = target.top
    this.#target = target
    this.#scrolledAt = performance.now()
    this.#scrollToTarget(target)
    return resolvePosition(this.#fragment, target.top.at) !== null
  }

  /** What is off screen may not be drawn yet, and its height is a guess until then. Once it is drawn, the scroll target is elsewhere. */
  onRender(): void {
    if (this.#target && performance.now() - this.#scrolledAt < RENDERING_MS)
      this.#scrollToTarget(this.#target)
  }

  /** The person is scrolling. */
  onUserInput(): void {
    this.#target = null
  }

  #scrollToTarget(target: ScrollTarget): void {
    const point = this.#domPointOf(target.top.at)
    if (point === 'start') return this.#scroller.scrollToStart()
    if (!point) return
    openTogglesAround(point.node)
    renderAround(point.node, this.#container)
    if (this.#scroller.scrollIntoView(rectOf(point), target)) this.#scrolledAt = performance.now()
  }

  markSelection(selection: TextPosition | null): void {
    const from = selection?.to === undefined ? null : this.#domPointOf(selection.at)
    const to = selection?.to === undefined ? null : this.#domPointOf(selection.to)
    this.#highlightSelection(from === 'start' || to === 'start' ? null : from, to === 'start' ? null : to)
  }

  #topPosition(): TextPosition | null {
    if (this.#scroller.isAtStart) return startPositionOf(this.#fragment)
    const point = pointBelow(this.#container, visibleRangeOf(this.#scroller.element).top)
    return point && this.#textPositionAt(point)
  }

  #textPositionAt({ node, offset }: DomPoint): TextPosition | null {
    const [element, block] = this.#blockAround(node)
    if (!element || !block) return null
    const texts = textsIn(element)
    const before = texts.find(({ node: text }) => text === node)
    return textPositionWithin(block, before ? before.from + offset : 0)
  }

  #blockAround(node: Node): [Element, Y.XmlElement] | [null, null] {
    for (let at: Node | null = node; at && at !== this.#container; at = at.parentNode) {
      const block = at instanceof Element ? this.#map.blockOf(at) : undefined
      if (block) return [at as Element, block]
    }
    return [null, null]
  }

  #domPointOf(position: string): DomPoint | 'start' | null {
    const yjsPosition = resolvePosition(this.#fragment, position)
    if (!yjsPosition) return null
    if (yjsPosition.type === this.#fragment && yjsPosition.index === 0) return 'start'
    const block = this.#shownBlockAround(yjsPosition)
    const element = block && this.#map.elementOf(block)
    if (!element) return null
    const texts = textsIn(element)
    return texts.length === 0
      ? { node: element, offset: 0 }
      : pointAt(texts, lettersBefore(block, yjsPosition))
  }

  /** The innermost block around a position that has an element of its own. */
  #shownBlockAround({ type, index }: YjsPosition): Y.XmlElement | null {
    const inner: unknown = type instanceof Y.XmlFragment && index < type.length ? type.get(index) : type
    let at = inner as Y.XmlElement | Y.XmlText | Y.XmlFragment | null
    while (at && !(at instanceof Y.XmlElement && this.#map.elementOf(at)))
      at = at.parent as Y.XmlElement | Y.XmlFragment | null
    return at
  }
}

/** How many letters of `block` are before a position in it. */
function lettersBefore(block: Y.XmlElement, yjsPosition: YjsPosition): number {
  let count = 0
  const walk = (type: Y.XmlFragment): boolean => {
    for (const [index, child] of type.toArray().entries()) {
      if (type === yjsPosition.type && index === yjsPosition.index) return true
      if (child instanceof Y.XmlText) {
        if (child === yjsPosition.type) {
          count += yjsPosition.index
          return true
        }
        count += child.length
      } else if (child instanceof Y.XmlFragment && walk(child)) return true
    }
    return type === yjsPosition.type
  }
  walk(block)
  return count
}

function textPositionWithin(block: Y.XmlElement, letters: number): TextPosition {
  let left = letters
  let found: TextPosition | null = null
  const walk = (type: Y.XmlFragment): void => {
    for (const child of type.toArray()) {
      if (found) return
      if (child instanceof Y.XmlText) {
        if (left < child.length) found = { at: encodePositionAt({ type: child, index: left }) }
        left -= child.length
      } else if (child instanceof Y.XmlFragment) walk(child)
    }
  }
  if (letters > 0) walk(block)
  return found ?? startPositionOf(block)
}
