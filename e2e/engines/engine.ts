/** The flows need this of a browser engine: the smallest part that Firefox and WebKit both have. */

export interface Engine {
  /** A page in a browser session of its own, which shares nothing with those of other pages. */
  newPage(): Promise<EnginePage>
  /** Ends the pages of one test. */
  closePages(): Promise<void>
  close(): Promise<void>
}

export interface EnginePage {
  /** The page threw these since it was opened. */
  errors(): Promise<readonly string[]>
  open(url: string): Promise<void>
  /** Those of the site that is open. */
  deleteCookies(): Promise<void>
  /** @param inPage Runs there: it sees its arguments alone, which can be written as JSON. */
  evaluate<Given extends unknown[], Result>(
    inPage: (...given: Given) => Result | Promise<Result>,
    ...args: Given
  ): Promise<Result>
  /** `null` where no such element is shown. */
  read(query: ElementQuery): Promise<ElementReading | null>
  /** With the engine's own pointer. @throws where the element is not there, or not yet still. */
  click(query: ElementQuery): Promise<void>
  /** One key, and those held meanwhile: "Control+Shift+ArrowLeft". */
  press(keys: string): Promise<void>
  /** A key for each letter, where the caret is. */
  type(text: string): Promise<void>
  /** The page that the click opens. */
  openPopup(click: () => Promise<void>): Promise<EnginePage>
  /** As PNG, for the report of a failed test. */
  screenshot(): Promise<Buffer>
}

/** Finds an element by what assistive technology reads. */
export interface ElementQuery {
  readonly role: keyof typeof selectors
  readonly name: string
  readonly within?: ElementQuery
}

export interface ElementReading {
  readonly text: string
  /** Its accessible description. */
  readonly description: string
}

const selectors = {
  article: 'article',
  button: 'button, [role=button]',
  dialog: '[role=dialog]',
  group: '[role=group]',
  menuitemcheckbox: '[role=menuitemcheckbox]',
  radio: '[role=radio]',
  region: 'section, [role=region]',
  searchbox: '[type=search]',
  status: 'output, [role=status]',
  textbox: 'input, textarea, [role=textbox]',
} as const

/** A query as the page understands it: from the outermost element to the one that is meant. */
export type ElementPath = readonly { readonly selector: string; readonly name: string }[]

export const pathOf = ({ role, name, within }: ElementQuery): ElementPath => [
  ...(within ? pathOf(within) : []),
  { selector: selectors[role], name },
]

/** Runs in the page: the visible element. */
export function findElement(path: ElementPath): HTMLElement | null {
  const textOf = (id: string) => document.getElementById(id)?.textContent ?? ''
  const labelsOf = (element: HTMLElement) =>
    [...((element as HTMLInputElement).labels ?? [])].map((label) => label.textContent).join(' ')
  const nameOf = (element: HTMLElement) =>
    (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).map(textOf).join(' ').trim() ||
    element.getAttribute('aria-label') ||
    labelsOf(element).trim() ||
    element.textContent.trim()
  // A menu that has not found its place yet is transparent.
  const isVisible = (element: HTMLElement) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  // A window that was just opened has no document yet for a moment.
  const root = document.documentElement as HTMLElement | null
  if (!root) return null
  let element = root
  for (const { selector, name } of path) {
    const match = [...element.querySelectorAll<HTMLElement>(selector)].find(
      (candidate) => nameOf(candidate) === name && isVisible(candidate),
    )
    if (!match) return null
    element = match
  }
  return element
}

/** Runs in the page. */
export function readElement(element: HTMLElement): ElementReading {
  const described = document.getElementById(element.getAttribute('aria-describedby') ?? '')
  return { text: element.textContent, description: described?.textContent ?? '' }
}

/** Runs in the page, before its own scripts where the engine can do that: only BiDi tells of errors, and of refused sockets as well. */
export function recordErrors(): void {
  const errors: string[] = []
  Object.assign(window, { pageErrors: errors })
  window.addEventListener('error', ({ message }) => errors.push(message))
  window.addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
}

/** Runs in the page. */
export const readErrors = (): string[] => (window as { pageErrors?: string[] }).pageErrors ?? []

/** Runs in the page: whether a pointer that goes to the middle of the element meets it, now and a moment later. */
export async function isStill(element: HTMLElement): Promise<boolean> {
  const measure = () => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return [x, y, width, height].join()
  }
  element.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  const before = measure()
  await new Promise((resolve) => requestAnimationFrame(resolve))
  await new Promise((resolve) => setTimeout(resolve, 30))
  const { x, y, width, height } = element.getBoundingClientRect()
  const top = document.elementFromPoint(x + width / 2, y + height / 2)
  return before === measure() && top !== null && (element.contains(top) || top.contains(element))
}
