/** What scrolls a text, and what the person does with it: apart from what a program does. */
import type { SurfaceHandle, ScrollTarget } from '@/lib/following/surface.ts'

/** Between what covers the top of the text and its first line, in px. */
const TOP_MARGIN_PX = 8

/** A movement that goes on by itself (a flick on a touchscreen, a held scrollbar): its events follow each other sooner, in ms. */
const MOMENTUM_MS = 150

/** From a key or a turn of the wheel to what it scrolls, in ms. */
const SCROLL_AFTER_INPUT_MS = 1_000

/** A wheel that turns tells so more often, in ms. */
const WHEEL_GAP_MS = 100

/** Where in the window something that was gone to stands. */
const CONTEXT_ABOVE = 0.25

/** The next element that scrolls upright: the page where there is none. */
function scrollContainerOf(element: Element): Element {
  const page = document.scrollingElement ?? document.documentElement
  for (let at: Element | null = element; at && at !== document.body && at !== page; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at)
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.scrollHeight > at.clientHeight) return at
  }
  return page
}

/** What of a scroller can be seen: the page's header covers its top. */
export function visibleRangeOf(scroller: Element): { top: number; bottom: number } {
  const isPage = scroller === document.scrollingElement
  const { top, bottom } = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect()
  const header = document.querySelector('header')?.getBoundingClientRect()
  const covered = header && header.top <= 0 ? header.bottom : 0
  return { top: Math.max(top, covered) + TOP_MARGIN_PX, bottom: Math.min(bottom, innerHeight) }
}

/** What a scroller tells of the hand on it, and of the text within. */
interface ScrollHandlers extends Pick<SurfaceHandle, 'onUserInput' | 'onScroll' | 'onResize'> {
  /** More of it is drawn, or it was written in: it has another height. */
  onRender?(): void
}

/** The scroller of one text, and the hand on it. */
export class TextScroller {
  readonly #container: Element
  readonly #stop = new AbortController()
  #handlers: ScrollHandlers | null = null
  /** Where a program has put it, until the event of that has come. */
  #programScrollTop: number | null = null
  #lastInputAt = -Infinity
  #scrolledAt = -Infinity
  #lastWheelAt = -Infinity
  #isPointerDown = false

  constructor(container: Element) {
    this.#container = container
  }

  /** Tells what the person does, until `stop`. */
  watch(handlers: ScrollHandlers): void {
    this.#handlers = handlers
    const options = { capture: true, passive: true, signal: this.#stop.signal }
    for (const type of ['wheel', 'touchmove'] as const)
      addEventListener(type, (event) => this.#onWheelOrTouch(event), options)
    addEventListener('pointerdown', (event) => this.#onPress(event), options)
    addEventListener('keydown', (event) => this.#onKey(event), options)
    for (const type of ['pointerup', 'pointercancel', 'pointermove'] as const)
      addEventListener(type, (event) => this.#onRelease(event), options)
    addEventListener('scroll', (event) => this.#onScroll(event), options)
    // What scrolls then is the browser, since lines are broken anew.
    addEventListener('resize', () => this.#forgetUserInput(), options)
    this.#watchSize()
  }

  /** Not the window's: panels beside the text take and leave room, too, and lines of the header. */
  #watchSize(): void {
    const header = document.querySelector('header')
    const read = () => `${this.#container.clientWidth} ${header?.offsetHeight}`
    let size = read()
    const observer = new ResizeObserver(() => {
      if (read() === size) return this.#handlers?.onRender?.()
      size = read()
      this.#forgetUserInput()
      this.#handlers?.onResize()
    })
    observer.observe(this.#container)
    if (header) observer.observe(header)
    this.#stop.signal.addEventListener('abort', () => observer.disconnect())
  }

  stop(): void {
    this.#stop.abort()
  }

  get element(): Element {
    return scrollContainerOf(this.#container)
  }

  get isAtStart(): boolean {
    return this.element.scrollTop <= 1
  }

  scrollToStart(): void {
    this.#scrollTo(this.element, 0)
  }

  /**
   * @param rect What to show, in the window's px.
   * @returns Whether anything moved for that.
   */
  scrollIntoView(rect: { readonly top: number; readonly bottom: number }, { within }: ScrollTarget): boolean {
    const scroller = this.element
    const { top, bottom } = visibleRangeOf(scroller)
    if (within && rect.top >= top && rect.bottom <= bottom - TOP_MARGIN_PX) return false
    const goal = within ? top + (bottom - top) * CONTEXT_ABOVE : top
    return this.#scrollTo(scroller, scroller.scrollTop + rect.top - goal)
  }

  /** By a hand, just now. */
  get isUserScrolling(): boolean {
    return this.#isPointerDown || performance.now() - this.#lastWheelAt < WHEEL_GAP_MS
  }

  /** The person brought it where it is, and has just done so. */
  get wasScrolledByUser(): boolean {
    return performance.now() - this.#scrolledAt < SCROLL_AFTER_INPUT_MS
  }

  /** By so many px. */
  scrollBy(by: number): void {
    const scroller = this.element
    this.#scrollTo(scroller, scroller.scrollTop + by)
  }

  #scrollTo(scroller: Element, top: number): boolean {
    const before = scroller.scrollTop
    scroller.scrollTo({ top, behavior: 'instant' })
    const moved = scroller.scrollTop !== before
    if (moved) this.#programScrollTop = scroller.scrollTop
    // What moves from here on is the page, settling in the new place, and not the person, who has to touch it again.
    this.#forgetUserInput()
    return moved
  }

  #forgetUserInput(): void {
    this.#lastInputAt = -Infinity
    this.#scrolledAt = -Infinity
  }

  #isInContainer(target: EventTarget | null): boolean {
    const element = target instanceof Element ? target : document.body
    return scrollContainerOf(element) === this.element
  }

  #onWheelOrTouch(event: Event): void {
    if (!this.#isInContainer(event.target)) return
    this.#isPointerDown = false
    this.#lastWheelAt = performance.now()
    this.#onUserInput()
  }

  /** A press in a menu or the header, above the page, scrolls nothing, though the page may settle behind it. */
  #onPress({ target }: PointerEvent): void {
    const scroller = this.element
    const isAbove =
      scroller === document.scrollingElement && target instanceof Element && !target.closest('main')
    if (!this.#isInContainer(target) || (isAbove && target !== scroller)) return
    this.#isPointerDown = true
    this.#onUserInput()
  }

  #onKey(event: KeyboardEvent): void {
    if (['Shift', 'Control', 'Alt', 'Meta'].includes(event.key)) return
    const { target } = event
    const isOurs = target === document.body || (target instanceof Node && this.#container.contains(target))
    if (isOurs && this.#isInContainer(target)) this.#onUserInput()
  }

  #onUserInput(): void {
    this.#lastInputAt = performance.now()
    this.#handlers?.onUserInput()
  }

  /** A held scrollbar tells of its release late, or never. */
  #onRelease({ type, buttons }: PointerEvent): void {
    if (type !== 'pointermove' || buttons === 0) this.#isPointerDown = false
  }

  #onScroll({ target }: Event): void {
    const scroller = this.element
    if (target !== scroller && !(target === document && scroller === document.scrollingElement)) return
    const isByProgram =
      this.#programScrollTop !== null && Math.abs(scroller.scrollTop - this.#programScrollTop) < 1
    this.#programScrollTop = null
    const now = performance.now()
    const hasCause =
      this.#isPointerDown ||
      now - this.#lastInputAt < SCROLL_AFTER_INPUT_MS ||
      now - this.#scrolledAt < MOMENTUM_MS
    if (isByProgram || !hasCause) return
    this.#scrolledAt = now
    this.#handlers?.onScroll()
  }
}
