/**
 * Where a person puts the caret, the next letter goes, however much others write in the same moment. A move and its letter come without
 * a pause between them: the browser has then not yet told the editor where the caret is.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { XmlElement, XmlText } from 'yjs'
import { type Random, randomOf } from '../chaos/random.ts'
import { expect, test } from '../support/fixtures.ts'
import { type Device, InputDriver, type Point } from '../support/input-driver.ts'
import { blockOf, writer } from '../support/long-text.ts'
import type { Window } from '../support/window.ts'

const LINES = 30
/** By each of four seeds: 1,000 in all. */
const MOVES = 250
/** Between two remote edits, in ms. */
const PACE_MS = 5

const letters = 'abcdefghijklmnopqrstuvw'
/** Written by others, and nobody's letter. */
const remote = 'x'

type Side = 'start' | 'end'

interface Move {
  readonly line: number
  readonly side: Side
  readonly by: Device
}

const nameOf = (line: number): string => ` ${line}. middle · of it `

test.use({ viewport: { width: 1280, height: 2_000 }, hasTouch: true })

for (const seed of [1, 2, 3, 4])
  test(
    `${MOVES} moves of the caret, each followed by a letter, among 200 remote edits a second, seed ${seed}`,
    { tag: seed === 1 ? [] : ['@long'] },
    async ({ door, server, scheme, openWindow }) => {
      const document = await door.newDocument()
      const other = await writer(server.origin(scheme), document)
      const blocks = Array.from({ length: LINES }, (_, line) => blockOf('paragraph', nameOf(line)))
      const body = other.doc.getXmlFragment('default')
      body.delete(0, body.length)
      body.insert(0, blocks)
      const window = await openWindow(document.url('editor'))
      await expect(window.text.locator('p')).toHaveCount(LINES)

      const stream = writeInTheMiddle(blocks)
      const wanted = await moveAndWrite(window, stream, randomOf(seed)).finally(() => stream.stop())
      expect(stream.edits).toBeGreaterThan(MOVES / 2)
      const own = (text: string) => text.replaceAll(remote, '')
      await expect.poll(async () => (await window.lines()).split('\n').map(own)).toEqual(wanted)
      await expect.poll(() => blocks.map((block) => own(textOf(block).toString()))).toEqual(wanted)
      await other.close()
    },
  )

test('the focus brings the caret back to where it was, however busy the page is then', async ({
  door,
  openWindow,
}) => {
  const { page, text } = await openWindow((await door.newDocument()).url('editor'))
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

const textOf = (block: XmlElement): XmlText => block.get(0) as XmlText

interface RemoteEdits {
  readonly edits: number
  edit(line: number): void
  stop(): void
}

/** Edits of another person in every line, one after the other: a letter more, and the next time one less. */
function writeInTheMiddle(blocks: readonly XmlElement[]): RemoteEdits {
  let edits = 0
  const edit = (line: number): void => {
    const text = textOf(blocks[line]!)
    const at = text.toString().indexOf('·') + 1
    if (text.toString()[at] === remote) text.delete(at, 1)
    else text.insert(at, remote)
    edits += 1
  }
  const timer = setInterval(() => edit(edits % blocks.length), PACE_MS)
  return {
    edit,
    stop: () => clearInterval(timer),
    get edits() {
      return edits
    },
  }
}

/** Returns what the lines are then. */
async function moveAndWrite(window: Window, remoteEdits: RemoteEdits, random: Random): Promise<string[]> {
  const input = await InputDriver.of(window.page)
  const written = Array.from({ length: LINES }, () => ({ start: '', end: '' }))
  // So that no line wraps, however many letters it gets.
  await window.text.evaluate((text) => (text.style.fontSize = '10px'))
  await window.text.focus()
  await window.focusStart()
  const points = await pointsOf(window)
  const nextMove = moves(random)
  let line = 0
  for (let n = 0; n < MOVES; n++) {
    const move = nextMove(line)
    await makeMove(input, move, line, points)
    const letter =
      n % 10 === 9
        ? await compose(input, () => remoteEdits.edit(move.line))
        : type(input, letters[n % letters.length]!)
    await input.awaitSent()
    const { start, end } = written[move.line]!
    written[move.line] = move.side === 'start' ? { start: letter + start, end } : { start, end: end + letter }
    line = move.line
  }
  return written.map(({ start, end }, index) => `${start}${nameOf(index)}${end}`)
}

function type(input: InputDriver, letter: string): string {
  input.type(letter)
  return letter
}

/** Composes a word as an input method does, while others edit its line. */
async function compose(input: InputDriver, edit: () => void): Promise<string> {
  for (const shown of ['n', 'に', 'にh', 'にほ']) {
    input.compose(shown)
    await input.awaitSent()
    edit()
    // It arrives before the next letter.
    await sleep(4 * PACE_MS)
  }
  input.commit('日本')
  return '日本'
}

/** Taps go left and right in turn: two near each other would be a double tap, which selects. */
function moves(random: Random): (from: number) => Move {
  let tapped: Side = 'start'
  return (from) => {
    const by = random.pick<Device>(['key', 'key', 'mouse', 'touch'])
    if (by === 'touch') tapped = tapped === 'start' ? 'end' : 'start'
    const side = by === 'touch' ? tapped : random.pick<Side>(['start', 'end'])
    const near = Math.min(LINES - 1, Math.max(0, from + random.between(-1, 1)))
    return { by, side, line: by === 'key' ? near : random.between(0, LINES - 1) }
  }
}

/** Sends it: the letter follows before its effect is known. */
async function makeMove(
  input: InputDriver,
  { by, side, line }: Move,
  from: number,
  points: readonly Record<Side, Point>[],
): Promise<void> {
  if (by === 'key') {
    if (line !== from) input.press(line > from ? 'ArrowDown' : 'ArrowUp')
    input.press(side === 'start' ? 'Home' : 'End')
    return
  }
  const point = points[line]![side]
  if (by === 'mouse') input.click(point)
  else await input.tap(point)
}

/** Left and right of the letters of each line. */
async function pointsOf({ text }: Window): Promise<Record<Side, Point>[]> {
  const boxes = await text
    .locator('p')
    .evaluateAll((lines) => lines.map((line) => line.getBoundingClientRect().toJSON()))
  return boxes.map(({ left, right, top, bottom }: DOMRect) => {
    const y = (top + bottom) / 2
    return { start: { x: left + 1, y }, end: { x: right - 2, y } }
  })
}
