/** A text to read, as a surface. Letters are counted: an element shows the letters of its part of the text, in order, and no others. */
import * as Y from 'yjs'
import { type Place, placeOf, positionAt, startOf, type Spot } from '@/lib/following/spot.ts'
import type { Look, Surface, Target } from '@/lib/following/surface.ts'
import { type DomPoint, drawAround, pointAt, pointBelow, rectOf, textsIn } from './geometry'
import { mark } from './marked'
import { type Scroller, sightOf } from './scroller'
import type { TextMap } from './text-map'

/** So long after it was last moved, what comes into the text above is still what was not drawn then, in ms. */
const SETTLING_MS = 5_000

export class ReadingSurface implements Surface {
  readonly #container: Element
  readonly #map: TextMap
  readonly #fragment: Y.XmlFragment
  readonly #scroller: Scroller
  #went: Spot | null = null
  /** Where it stands, or will once that is drawn: until a hand is on it. */
  #target: Target | null = null
  #movedAt = -Infinity
  readonly #mark = mark()

  constructor(container: Element, map: TextMap, fragment: Y.XmlFragment, scroller: Scroller) {
    this.#container = container
    this.#map = map
    this.#fragment = fragment
    this.#scroller = scroller
  }

  look(): Look | null {
    const top = this.#top()
    return top && { top, focus: this.#went ?? top }
  }

  /** Where it went is not what is looked at any more. */
  scrolled(): void {
    this.leave()
    this.#went = null
  }

  show(target: Target): boolean {
    this.#went = target.top
    this.#target = target
    this.#movedAt = performance.now()
    this.#approach(target)
    return placeOf(this.#fragment, target.top.at) !== null
  }

  /** What is off screen may not be there yet, and its height is a guess until it is drawn: then what was gone to stands elsewhere. */
  redrawn(): void {
    if (this.#target && performance.now() - this.#movedAt < SETTLING_MS) this.#approach(this.#target)
  }

  /** A hand is on it. */
  leave(): void {
    this.#target = null
  }

  #approach(target: Target): void {
    const point = this.#pointOf(target.top.at)
    if (point === 'start') return this.#scroller.toStart()
    if (!point) return
    drawAround(point.node, this.#container)
    if (this.#scroller.bring(rectOf(point), target)) this.#movedAt = performance.now()
  }

  mark(selection: Spot | null): void {
    const from = selection?.to === undefined ? null : this.#pointOf(selection.at)
    const to = selection?.to === undefined ? null : this.#pointOf(selection.to)
    this.#mark(from === 'start' || to === 'start' ? null : from, to === 'start' ? null : to)
  }

  #top(): Spot | null {
    if (this.#scroller.isAtStart) return startOf(this.#fragment)
    const point = pointBelow(this.#container, sightOf(this.#scroller.element).top)
    return point && this.#spotAt(point)
  }

  #spotAt({ node, offset }: DomPoint): Spot | null {
    const [element, part] = this.#partAround(node)
    if (!element || !part) return null
    const texts = textsIn(element)
    const before = texts.find(({ node: text }) => text === node)
    return spotWithin(part, before ? before.from + offset : 0)
  }

  #partAround(node: Node): [Element, Y.XmlElement] | [null, null] {
    for (let at: Node | null = node; at && at !== this.#container; at = at.parentNode) {
      const part = at instanceof Element ? this.#map.partOf(at) : undefined
      if (part) return [at as Element, part]
    }
    return [null, null]
  }

  #pointOf(position: string): DomPoint | 'start' | null {
    const place = placeOf(this.#fragment, position)
    if (!place) return null
    if (place.type === this.#fragment && place.index === 0) return 'start'
    const block = this.#shown(place)
    const element = block && this.#map.elementOf(block)
    if (!element) return null
    const texts = textsIn(element)
    return texts.length === 0 ? { node: element, offset: 0 } : pointAt(texts, lettersBefore(block, place))
  }

  /** The innermost part around a place that has an element of its own. */
  #shown({ type, index }: Place): Y.XmlElement | null {
    const inner: unknown = type instanceof Y.XmlFragment && index < type.length ? type.get(index) : type
    let at = inner as Y.XmlElement | Y.XmlText | Y.XmlFragment | null
    while (at && !(at instanceof Y.XmlElement && this.#map.elementOf(at)))
      at = at.parent as Y.XmlElement | Y.XmlFragment | null
    return at
  }
}

/** How many letters of `part` stand before a place in it. */
function lettersBefore(part: Y.XmlElement, place: Place): number {
  let count = 0
  const walk = (type: Y.XmlFragment): boolean => {
    for (const [index, child] of type.toArray().entries()) {
      if (type === place.type && index === place.index) return true
      if (child instanceof Y.XmlText) {
        if (child === place.type) {
          count += place.index
          return true
        }
        count += child.length
      } else if (child instanceof Y.XmlFragment && walk(child)) return true
    }
    return type === place.type
  }
  walk(part)
  return count
}

function spotWithin(part: Y.XmlElement, letters: number): Spot {
  let left = letters
  let found: Spot | null = null
  const walk = (type: Y.XmlFragment): void => {
    for (const child of type.toArray()) {
      if (found) return
      if (child instanceof Y.XmlText) {
        if (left < child.length) found = { at: positionAt({ type: child, index: left }) }
        left -= child.length
      } else if (child instanceof Y.XmlFragment) walk(child)
    }
  }
  if (letters > 0) walk(part)
  return found ?? startOf(part)
}
