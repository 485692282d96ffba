/** The scroll container of a text. Tells scrolling by the person from scrolling by a program. */
import type { SurfaceHandle, ScrollTarget } from '@/lib/following/surface.ts'

/** The px between what covers the top of the text and its first line. */
const TOP_MARGIN_PX = 8

/** Momentum of a flick on a touchscreen or a held scrollbar: its scroll events follow each other sooner than this, in ms. */
const MOMENTUM_MS = 150

/** The longest time in ms from a key or a turn of the wheel to the scroll event. */
const SCROLL_AFTER_INPUT_MS = 1_000

/** A turning wheel sends its events closer together than this, in ms. */
const WHEEL_GAP_MS = 100

/** Keys that scroll nothing, wherever they are pressed. */
const keysWithoutScroll = ['Shift', 'Control', 'Alt', 'Meta', 'Escape']

/** Where in the window a scroll target is placed, as a fraction of its height. */
const CONTEXT_ABOVE = 0.25

/** The closest ancestor that scrolls vertically; the page if there is none. */
function scrollContainerOf(element: Element): Element {
  const page = document.scrollingElement ?? document.documentElement
  for (let at: Element | null = element; at && at !== document.body && at !== page; at = at.parentElement) {
    const { overflowY } = getComputedStyle(at)
    if ((overflowY === 'auto' || overflowY === 'scroll') && at.scrollHeight > at.clientHeight) return at
  }
  return page
}

/** The visible part of a scroller: the page's header covers its top. */
export function visibleRangeOf(scroller: Element): { top: number; bottom: number } {
  const isPage = scroller === document.scrollingElement
  const { top, bottom } = isPage ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect()
  const header = document.querySelector('header')?.getBoundingClientRect()
  const covered = header && header.top <= 0 ? header.bottom : 0
  return { top: Math.max(top, covered) + TOP_MARGIN_PX, bottom: Math.min(bottom, innerHeight) }
}

/** What a scroller reports about the person's input and the text in it. */
interface ScrollHandlers extends Pick<SurfaceHandle, 'onUserInput' | 'onScroll' | 'onResize'> {
  /** More of the text was drawn, or it was edited: its height changed. */
  onRender?(): void
}

/** The scroller of one text, with the person's input on it. */
export class TextScroller {
  readonly #container: Element
  readonly #stop = new AbortController()
  #handlers: ScrollHandlers | null = null
  /** Where a program has scrolled to, until the scroll event of that has arrived. */
  #programScrollTop: number | null = null
  #lastInputAt = -Infinity
  #scrolledAt = -Infinity
  #lastWheelAt = -Infinity
  #isPointerDown = false
  /** The scroll position when printing began; null unless the text is being printed. */
  #scrollTopBeforePrint: number | null = null

  constructor(container: Element) {
    this.#container = container
  }

  /** Reports what the person does, until `stop`. */
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
    addEventListener('beforeprint', () => this.#onBeforePrint(), options)
    addEventListener('afterprint', () => this.#onAfterPrint(), options)
    // On a resize the browser scrolls, because lines are wrapped again.
    addEventListener('resize', () => this.#forgetUserInput(), options)
    this.#watchSize()
  }

  /** Observes the element and not the window: panels beside the text take and leave room, too, and so do lines of the header. */
  #watchSize(): void {
    const header = document.querySelector('header')
    const read = () => `${this.#container.clientWidth} ${header?.offsetHeight}`
    let size = read()
    const observer = new ResizeObserver(() => {
      if (this.#scrollTopBeforePrint !== null) return
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
   * @param rect What to show, in px of the window.
   * @returns Whether anything moved for that.
   */
  scrollIntoView(rect: { readonly top: number; readonly bottom: number }, { within }: ScrollTarget): boolean {
    const scroller = this.element
    const { top, bottom } = visibleRangeOf(scroller)
    if (within && rect.top >= top && rect.bottom <= bottom - TOP_MARGIN_PX) return false
    const goal = within ? top + (bottom - top) * CONTEXT_ABOVE : top
    return this.#scrollTo(scroller, scroller.scrollTop + rect.top - goal)
  }

  /** Whether the person is scrolling right now. */
  get isUserScrolling(): boolean {
    return this.#isPointerDown || performance.now() - this.#lastWheelAt < WHEEL_GAP_MS
  }

  /** Whether the person has just scrolled to where it is. */
  get wasScrolledByUser(): boolean {
    return performance.now() - this.#scrolledAt < SCROLL_AFTER_INPUT_MS
  }

  /** Scrolls by so many px. */
  scrollBy(by: number): void {
    const scroller = this.element
    this.#scrollTo(scroller, scroller.scrollTop + by)
  }

  #scrollTo(scroller: Element, top: number): boolean {
    const before = scroller.scrollTop
    scroller.scrollTo({ top, behavior: 'instant' })
    const moved = scroller.scrollTop !== before
    if (moved) this.#programScrollTop = scroller.scrollTop
    // Whatever moves from here on is the page settling in its new position, not the person, until there is new input.
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

  /** Ignores a press in a menu or the header, outside of `main`: it scrolls nothing, though the page may settle behind it. */
  #onPress({ target }: PointerEvent): void {
    const scroller = this.element
    const isAbove =
      scroller === document.scrollingElement && target instanceof Element && !target.closest('main')
    if (!this.#isInContainer(target) || (isAbove && target !== scroller)) return
    this.#isPointerDown = true
    this.#onUserInput()
  }

  #onKey(event: KeyboardEvent): void {
    if (keysWithoutScroll.includes(event.key)) return
    const { target } = event
    const isOurs = target === document.body || (target instanceof Node && this.#container.contains(target))
    // Most keys are letters of the text itself, whose styles need not be read.
    if (isOurs && (target === this.#container || this.#isInContainer(target))) this.#onUserInput()
  }

  #onUserInput(): void {
    this.#lastInputAt = performance.now()
    this.#handlers?.onUserInput()
  }

  /** A held scrollbar reports its release late, or never. */
  #onRelease({ type, buttons }: PointerEvent): void {
    if (type !== 'pointermove' || buttons === 0) this.#isPointerDown = false
  }

  #onBeforePrint(): void {
    this.#scrollTopBeforePrint ??= this.element.scrollTop
  }

  /** On paper there is no header, and lines are broken elsewhere. The layout of the screen is back with the next frame. */
  #onAfterPrint(): void {
    requestAnimationFrame(() => {
      const top = this.#scrollTopBeforePrint
      this.#scrollTopBeforePrint = null
      if (top !== null && !this.#stop.signal.aborted) this.#scrollTo(this.element, top)
    })
  }

  #onScroll({ target }: Event): void {
    if (this.#scrollTopBeforePrint !== null) return
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
