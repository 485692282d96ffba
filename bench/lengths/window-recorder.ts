/**
 * Records inside the measured windows, in the same way for both programs, how many letters the last paragraph has, into which one window
 * types. It knows ProseMirror's text on screen and the Yjs document behind it, and nothing of the program around them. Each function is
 * sent to a page by itself, and needs the page's recorder.
 */
import type * as Y from 'yjs'
import type { Paint } from '../support/typed-windows.ts'

export interface LongTask {
  readonly at: number
  readonly ms: number
}

/** Moments are on the browser's clock. */
export interface WindowRecord {
  /** The numbers of letters that the document had from others, before the editor receives them. */
  readonly applied: readonly Paint[]
  /** The numbers of letters on screen. */
  readonly painted: readonly Paint[]
  /** The tasks over 50 ms, as the browser reports them. */
  readonly longTasks: readonly LongTask[]
  /** The last paragraph in the document. */
  readonly text: string
}

declare global {
  interface Window {
    /** The Yjs document that is on screen. */
    measuredDocument?: Y.Doc
    readWindowRecord?: () => WindowRecord
  }
}

/** Scrolls to the last paragraph, and starts to record. @throws {Error} when that paragraph is not empty. */
export function recordWindow(): void {
  const editor = document.querySelector('[role=textbox].ProseMirror')!
  const doc = window.measuredDocument!
  const paragraph = doc.getXmlFragment('default').toArray().at(-1) as Y.XmlElement
  const applied: Paint[] = []
  const longTasks: LongTask[] = []
  const { now, recordPaints } = window.recorder

  /** Counts the letters on screen, without carets and other widgets between them. */
  const countLettersShown = (): number => {
    let block = editor.lastElementChild
    while (block?.classList.contains('ProseMirror-widget')) block = block.previousElementSibling
    let letters = block?.textContent.length ?? 0
    for (const widget of block?.querySelectorAll('.ProseMirror-widget') ?? [])
      letters -= widget.textContent.length
    return letters
  }
  if (countLettersShown() !== 0) throw new Error('The last paragraph is not empty.')
  editor.lastElementChild?.scrollIntoView({ block: 'center' })
  const painted = recordPaints(editor, countLettersShown)

  let appliedLetters = 0
  doc.on('beforeObserverCalls', ({ local }: Y.Transaction) => {
    const letters = (paragraph.toArray() as Y.XmlText[]).reduce((sum, text) => sum + text.length, 0)
    if (!local && letters > appliedLetters) applied.push({ letters, at: now() })
    appliedLetters = letters
  })

  const addTasks = (entries: PerformanceEntryList): void => {
    for (const { startTime, duration } of entries)
      longTasks.push({ at: performance.timeOrigin + startTime, ms: duration })
  }
  const tasks = new PerformanceObserver((list) => addTasks(list.getEntries()))
  tasks.observe({ type: 'longtask' })

  window.readWindowRecord = () => {
    addTasks(tasks.takeRecords())
    const texts = paragraph.toArray() as Y.XmlText[]
    return { applied, painted, longTasks, text: texts.map((text) => text.toString()).join('') }
  }
}

export const hasBlocks = (count: number): boolean => {
  const editor = document.querySelector('[role=textbox].ProseMirror')
  return (editor?.querySelectorAll(':scope > p').length ?? 0) >= count
}

/** Counts other people's carets: no other widgets are in the text while nobody comments or searches. */
export const hasCarets = (count: number): boolean =>
  document.querySelectorAll('[role=textbox].ProseMirror .ProseMirror-widget').length >= count

export const isCaretInLastBlock = (): boolean => {
  const block = document.querySelector('[role=textbox].ProseMirror')?.lastElementChild
  return block?.contains(getSelection()?.anchorNode ?? null) === true
}

export const hasPainted = (letters: number): boolean =>
  window.readWindowRecord!().painted.some((paint) => paint.letters >= letters)

export const readWindow = (): WindowRecord => window.readWindowRecord!()
