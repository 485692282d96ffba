/** What scrolls a text, and what the person does with it: apart from what a program does. */
import type { SurfaceHandle, Target } from '@/lib/following/surface.ts'

/** Between what covers the top of the text and its first line, in px. */
const AIR = 8

/** A movement that goes on by itself (a flick on a touchscreen, a held scrollbar): its events follow each other sooner, in ms. */
const MOMENTUM_MS = 150

/** From a key or a turn of the wheel to what it scrolls, in ms. */
const CAUSE_MS = 1_000

/** A wheel that turns tells so more often, in ms. */
const TURNING_MS = 100

/** Where in the window something that was gone to stands. */
const PART_ABOVE = 0.25

/** The next element that scrolls upright: the page where there is none. */
function scrollerOf(element: Element): Element {
  const page = document.scrollingElement ?? document.documentElement
  for (let at: Element | null = element; at && at !== document.body && at !== page; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at)
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.scrollHeight > at.clientHeight) return at
  }
  return page
}

/** What of a scroller can be seen: the page's header covers its top. */
export function sightOf(scroller: Element): { top: number; bottom: number } {
  const isPage = scroller === document.scrollingElement
  const { top, bottom } = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect()
  const header = document.querySelector('header')?.getBoundingClientRect()
  const covered = header && header.top <= 0 ? header.bottom : 0
  return { top: Math.max(top, covered) + AIR, bottom: Math.min(bottom, innerHeight) }
}

/** What a scroller tells of the hand on it, and of the text within. */
interface Watcher extends Pick<SurfaceHandle, 'touched' | 'scrolled' | 'resized'> {
  /** More of it is drawn, or it was written in: it has another height. */
  redrawn?(): void
}

/** The scroller of one text, and the hand on it. */
export class Scroller {
  readonly #container: Element
  readonly #stop = new AbortController()
  #watcher: Watcher | null = null
  /** Where a program has put it, until the event of that has come. */
  #placed: number | null = null
  #touchedAt = -Infinity
  #scrolledAt = -Infinity
  #turnedAt = -Infinity
  #isHeld = false

  constructor(container: Element) {
    this.#container = container
  }

  /** Tells what the person does, until `stop`. */
  watch(watcher: Watcher): void {
    this.#watcher = watcher
    const options = { capture: true, passive: true, signal: this.#stop.signal }
    for (const type of ['wheel', 'touchmove'] as const)
      addEventListener(type, (event) => this.#onTouch(event), options)
    addEventListener('pointerdown', (event) => this.#onPress(event), options)
    addEventListener('keydown', (event) => this.#onKey(event), options)
    for (const type of ['pointerup', 'pointercancel', 'pointermove'] as const)
      addEventListener(type, (event) => this.#onRelease(event), options)
    addEventListener('scroll', (event) => this.#onScroll(event), options)
    // What scrolls then is the browser, since lines are broken anew.
    addEventListener('resize', () => this.#forgetHand(), options)
    this.#watchSize()
  }

  /** Not the window's: panels beside the text take and leave room, too, and lines of the header. */
  #watchSize(): void {
    const header = document.querySelector('header')
    const read = () => `${this.#container.clientWidth} ${header?.offsetHeight}`
    let size = read()
    const observer = new ResizeObserver(() => {
      if (read() === size) return this.#watcher?.redrawn?.()
      size = read()
      this.#forgetHand()
      this.#watcher?.resized()
    })
    observer.observe(this.#container)
    if (header) observer.observe(header)
    this.#stop.signal.addEventListener('abort', () => observer.disconnect())
  }

  stop(): void {
    this.#stop.abort()
  }

  get element(): Element {
    return scrollerOf(this.#container)
  }

  get isAtStart(): boolean {
    return this.element.scrollTop <= 1
  }

  toStart(): void {
    this.#place(this.element, 0)
  }

  /**
   * @param rect What to show, in the window's px.
   * @returns Whether anything moved for that.
   */
  bring(rect: { readonly top: number; readonly bottom: number }, { within }: Target): boolean {
    const scroller = this.element
    const { top, bottom } = sightOf(scroller)
    if (within && rect.top >= top && rect.bottom <= bottom - AIR) return false
    const goal = within ? top + (bottom - top) * PART_ABOVE : top
    return this.#place(scroller, scroller.scrollTop + rect.top - goal)
  }

  /** By a hand, just now. */
  get isMoving(): boolean {
    return this.#isHeld || performance.now() - this.#turnedAt < TURNING_MS
  }

  /** The person brought it where it is, and has just done so. */
  get wasMoved(): boolean {
    return performance.now() - this.#scrolledAt < CAUSE_MS
  }

  /** By so many px. */
  shift(by: number): void {
    const scroller = this.element
    this.#place(scroller, scroller.scrollTop + by)
  }

  #place(scroller: Element, top: number): boolean {
    const before = scroller.scrollTop
    scroller.scrollTo({ top, behavior: 'instant' })
    const moved = scroller.scrollTop !== before
    if (moved) this.#placed = scroller.scrollTop
    // What moves from here on is the page, settling in the new place, and not the person, who has to touch it again.
    this.#forgetHand()
    return moved
  }

  #forgetHand(): void {
    this.#touchedAt = -Infinity
    this.#scrolledAt = -Infinity
  }

  #isHere(target: EventTarget | null): boolean {
    const element = target instanceof Element ? target : document.body
    return scrollerOf(element) === this.element
  }

  #onTouch(event: Event): void {
    if (!this.#isHere(event.target)) return
    this.#isHeld = false
    this.#turnedAt = performance.now()
    this.#touch()
  }

  /** A press in a menu or the header, above the page, scrolls nothing, though the page may settle behind it. */
  #onPress({ target }: PointerEvent): void {
    const scroller = this.element
    const isAbove =
      scroller === document.scrollingElement && target instanceof Element && !target.closest('main')
    if (!this.#isHere(target) || (isAbove && target !== scroller)) return
    this.#isHeld = true
    this.#touch()
  }

  #onKey(event: KeyboardEvent): void {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    const { target } = event
    const isOurs = target === document.body || (target instanceof Node && this.#container.contains(target))
    if (isOurs && this.#isHere(target)) this.#touch()
  }

  #touch(): void {
    this.#touchedAt = performance.now()
    this.#watcher?.touched()
  }

  /** A held scrollbar tells of its release late, or never. */
  #onRelease({ type, buttons }: PointerEvent): void {
    if (type !== 'pointermove' || buttons === 0) this.#isHeld = false
  }

  #onScroll({ target }: Event): void {
    const scroller = this.element
    if (target !== scroller && !(target === document && scroller === document.scrollingElement)) return
    const wasPlaced = this.#placed !== null && Math.abs(scroller.scrollTop - this.#placed) < 1
    this.#placed = null
    const now = performance.now()
    const hasCause = this.#isHeld || now - this.#touchedAt < CAUSE_MS || now - this.#scrolledAt < MOMENTUM_MS
    if (wasPlaced || !hasCause) return
    this.#scrolledAt = now
    this.#watcher?.scrolled()
  }
}
