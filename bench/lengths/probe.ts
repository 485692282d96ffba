/**
 * The functions that run inside the measured windows, the same for both programs. They know ProseMirror's text on screen and the Yjs
 * document behind it, and nothing of the program around them. They count the letters of the last paragraph, in which one window
 * types. Each function stands alone, since it is sent to the page by itself.
 */
import type * as Y from 'yjs'
import type { Paint } from '../support/typed-windows.ts'

export interface LongTask {
  /** On the browser's clock. */
  readonly at: number
  readonly ms: number
}

/** Moments are on the browser's clock. */
export interface WindowRecord {
  /** The document had that many letters from others: as soon as they are in it, before the editor hears of them. */
  readonly applied: readonly Paint[]
  /** The first task after the frame that showed that many. */
  readonly painted: readonly Paint[]
  /** Tasks over 50 ms, as the browser tells of them. */
  readonly longTasks: readonly LongTask[]
  /** The last paragraph, as the document has it. */
  readonly text: string
}

declare global {
  interface Window {
    /** The Yjs document that is on screen. */
    measuredDocument?: Y.Doc
    readWindowRecord?: () => WindowRecord
  }
}

/** The letters are shown in this window's view from now on. @throws {Error} when the last paragraph is not empty. */
export function recordWindow(): void {
  const editor = document.querySelector('[role=textbox].ProseMirror')!
  const doc = window.measuredDocument!
  const paragraph = doc.getXmlFragment('default').toArray().at(-1) as Y.XmlElement
  const applied: Paint[] = []
  const painted: Paint[] = []
  const longTasks: LongTask[] = []
  const { now, afterFrame } = window.recorder

  /** The text of the shown paragraph, without carets and what else is drawn between its letters. */
  const lettersShown = (): number => {
    let block = editor.lastElementChild
    while (block?.classList.contains('ProseMirror-widget')) block = block.previousElementSibling
    let letters = block?.textContent.length ?? 0
    for (const widget of block?.querySelectorAll('.ProseMirror-widget') ?? [])
      letters -= widget.textContent.length
    return letters
  }
  if (lettersShown() !== 0) throw new Error('The last paragraph is not empty.')
  editor.lastElementChild?.scrollIntoView({ block: 'center' })

  let has = 0
  doc.on('beforeObserverCalls', ({ local }: Y.Transaction) => {
    const letters = (paragraph.toArray() as Y.XmlText[]).reduce((sum, text) => sum + text.length, 0)
    if (!local && letters > has) applied.push({ letters, at: now() })
    has = letters
  })

  let shown = 0
  const watch = new MutationObserver(() => {
    const letters = lettersShown()
    if (letters === shown) return
    shown = letters
    afterFrame((at) => void painted.push({ letters, at }))
  })
  watch.observe(editor, { childList: true, subtree: true, characterData: true })

  const keep = (entries: PerformanceEntryList): void => {
    for (const { startTime, duration } of entries)
      longTasks.push({ at: performance.timeOrigin + startTime, ms: duration })
  }
  const tasks = new PerformanceObserver((list) => keep(list.getEntries()))
  tasks.observe({ type: 'longtask' })

  window.readWindowRecord = () => {
    keep(tasks.takeRecords())
    const texts = paragraph.toArray() as Y.XmlText[]
    return { applied, painted, longTasks, text: texts.map((text) => text.toString()).join('') }
  }
}

export const hasBlocks = (count: number): boolean => {
  const editor = document.querySelector('[role=textbox].ProseMirror')
  return (editor?.querySelectorAll(':scope > p').length ?? 0) >= count
}

/** Other people's carets. Nothing else is drawn between letters while nobody comments or searches. */
export const hasCarets = (count: number): boolean =>
  document.querySelectorAll('[role=textbox].ProseMirror .ProseMirror-widget').length >= count

export const isCaretInLastBlock = (): boolean => {
  const block = document.querySelector('[role=textbox].ProseMirror')?.lastElementChild
  return block?.contains(getSelection()?.anchorNode ?? null) === true
}

export const hasPainted = (letters: number): boolean =>
  window.readWindowRecord!().painted.some((paint) => paint.letters >= letters)

export const readWindow = (): WindowRecord => window.readWindowRecord!()
