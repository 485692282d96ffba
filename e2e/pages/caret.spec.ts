/**
 * The next letter goes where a person puts the caret, however much others write at the same moment. Each letter follows its move without
 * a pause, before the browser has told the editor where the caret is.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { XmlElement, XmlText } from 'yjs'
import { type SeededRandom, createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { expect, test } from '../fixtures/test.ts'
import { type InputDevice, InputDriver, type PagePoint } from './fixtures/input-driver.ts'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

const LINE_COUNT = 30
/** The moves of each of four seeds: 1,000 in all. */
const MOVE_COUNT = 250
const REMOTE_EDIT_INTERVAL_MS = 5

const letters = 'abcdefghijklmnopqrstuvw'
/** The letter that others write, and that the person never types. */
const remoteLetter = 'x'

type LineEdge = 'start' | 'end'

interface CaretMove {
  readonly line: number
  readonly side: LineEdge
  readonly by: InputDevice
}

const lineTextOf = (line: number): string => ` ${line}. middle · of it `

test.use({ viewport: { width: 1280, height: 2_000 }, hasTouch: true })

for (const seed of [1, 2, 3, 4])
  test(
    `${MOVE_COUNT} moves of the caret, each followed by a letter, among 200 remote edits a second, seed ${seed}`,
    { tag: seed === 1 ? [] : ['@long'] },
    async ({ createDocument, server, scheme, openWindow }) => {
      const document = await createDocument()
      const remoteWriter = await openWriter(server.origin(scheme), document)
      const blocks = Array.from({ length: LINE_COUNT }, (_, line) =>
        createTextBlock('paragraph', lineTextOf(line)),
      )
      const body = remoteWriter.doc.getXmlFragment('default')
      body.delete(0, body.length)
      body.insert(0, blocks)
      const window = await openWindow(document.url('editor'))
      await expect(window.text.locator('p')).toHaveCount(LINE_COUNT)

      const remoteEdits = startRemoteEdits(blocks)
      const expectedLines = await moveAndType(window, remoteEdits, createSeededRandom(seed)).finally(() =>
        remoteEdits.stop(),
      )
      expect(remoteEdits.edits).toBeGreaterThan(MOVE_COUNT / 2)
      const withoutRemoteLetters = (text: string) => text.replaceAll(remoteLetter, '')
      await expect
        .poll(async () => (await window.readLines()).split('\n').map(withoutRemoteLetters))
        .toEqual(expectedLines)
      await expect
        .poll(() => blocks.map((block) => withoutRemoteLetters(textNodeOf(block).toString())))
        .toEqual(expectedLines)
      await remoteWriter.close()
    },
  )

test('the focus brings the caret back to where it was, however busy the page is then @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('one ')
  for (const word of ['two ', 'three ', 'four']) {
    await page.getByRole('textbox', { name: 'Title' }).focus()
    await text.evaluate((element: HTMLElement) => {
      element.focus()
      const end = performance.now() + 400
      while (performance.now() < end);
    })
    await page.keyboard.type(word)
  }
  await expect(text).toHaveText('one two three four')
})

const textNodeOf = (block: XmlElement): XmlText => block.get(0) as XmlText

interface RemoteEdits {
  readonly edits: number
  editLine(line: number): void
  stop(): void
}

/** Edits the lines in turn as another person: inserts a letter, and deletes it the next time. */
function startRemoteEdits(blocks: readonly XmlElement[]): RemoteEdits {
  let editCount = 0
  const editLine = (line: number): void => {
    const text = textNodeOf(blocks[line]!)
    const at = text.toString().indexOf('·') + 1
    if (text.toString()[at] === remoteLetter) text.delete(at, 1)
    else text.insert(at, remoteLetter)
    editCount += 1
  }
  const timer = setInterval(() => editLine(editCount % blocks.length), REMOTE_EDIT_INTERVAL_MS)
  return {
    editLine,
    stop: () => clearInterval(timer),
    get edits() {
      return editCount
    },
  }
}

/** Returns the lines that the document should have afterwards. */
async function moveAndType(
  window: DocumentWindow,
  remoteEdits: RemoteEdits,
  random: SeededRandom,
): Promise<string[]> {
  const input = await InputDriver.attachTo(window.page)
  const typed = Array.from({ length: LINE_COUNT }, () => ({ start: '', end: '' }))
  // With small letters no line wraps, however many it gets.
  await window.text.evaluate((text) => (text.style.fontSize = '10px'))
  await window.text.focus()
  await window.focusStart()
  const points = await readLineEdges(window)
  const nextMove = createMoves(random)
  let line = 0
  for (let moveIndex = 0; moveIndex < MOVE_COUNT; moveIndex++) {
    const move = nextMove(line)
    await sendMove(input, move, line, points)
    const letter =
      moveIndex % 10 === 9
        ? await composeWord(input, () => remoteEdits.editLine(move.line))
        : typeLetter(input, letters[moveIndex % letters.length]!)
    await input.waitUntilSent()
    const { start, end } = typed[move.line]!
    typed[move.line] = move.side === 'start' ? { start: letter + start, end } : { start, end: end + letter }
    line = move.line
  }
  return typed.map(({ start, end }, index) => `${start}${lineTextOf(index)}${end}`)
}

function typeLetter(input: InputDriver, letter: string): string {
  input.type(letter)
  return letter
}

/** Composes a word as an input method does, while others edit its line. */
async function composeWord(input: InputDriver, editRemotely: () => void): Promise<string> {
  for (const composed of ['n', 'に', 'にh', 'にほ']) {
    input.composeText(composed)
    await input.waitUntilSent()
    editRemotely()
    // The edit arrives before the next letter.
    await sleep(4 * REMOTE_EDIT_INTERVAL_MS)
  }
  input.commitText('日本')
  return '日本'
}

/** Alternates taps between left and right: two near each other would be a double tap, which selects. */
function createMoves(random: SeededRandom): (from: number) => CaretMove {
  let lastTapped: LineEdge = 'start'
  return (from) => {
    const device = random.pick<InputDevice>(['key', 'key', 'mouse', 'touch'])
    if (device === 'touch') lastTapped = lastTapped === 'start' ? 'end' : 'start'
    const edge = device === 'touch' ? lastTapped : random.pick<LineEdge>(['start', 'end'])
    const nearLine = Math.min(LINE_COUNT - 1, Math.max(0, from + random.between(-1, 1)))
    return { by: device, side: edge, line: device === 'key' ? nearLine : random.between(0, LINE_COUNT - 1) }
  }
}

/** Sends the move without waiting for its effect, so that the letter follows at once. */
async function sendMove(
  input: InputDriver,
  { by: device, side: edge, line }: CaretMove,
  from: number,
  points: readonly Record<LineEdge, PagePoint>[],
): Promise<void> {
  if (device === 'key') {
    if (line !== from) input.press(line > from ? 'ArrowDown' : 'ArrowUp')
    input.press(edge === 'start' ? 'Home' : 'End')
    return
  }
  const point = points[line]![edge]
  if (device === 'mouse') input.click(point)
  else await input.tap(point)
}

/** Returns the points to the left and right of each line's letters. */
async function readLineEdges({ text }: DocumentWindow): Promise<Record<LineEdge, PagePoint>[]> {
  const boxes = await text
    .locator('p')
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().toJSON()))
  return boxes.map(({ left, right, top, bottom }: DOMRect) => {
    const y = (top + bottom) / 2
    return { start: { x: left + 1, y }, end: { x: right - 2, y } }
  })
}
