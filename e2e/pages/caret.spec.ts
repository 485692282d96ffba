/**
 * Where a person puts the caret, the next letter goes, however much others write in the same moment. A move and its letter come without
 * a pause between them: the browser has then not yet told the editor where the caret is.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { XmlElement, XmlText } from 'yjs'
import { type Random, randomOf } from '../chaos/random.ts'
import { expect, test } from '../support/fixtures.ts'
import { type Device, Hands, type Point } from '../support/hands.ts'
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
      const wanted = await moveAndWrite(window, randomOf(seed)).finally(() => stream.stop())
      expect(stream.edits).toBeGreaterThan(MOVES / 2)
      const own = (text: string) => text.replaceAll(remote, '')
      await expect.poll(async () => (await window.lines()).split('\n').map(own)).toEqual(wanted)
      await expect.poll(() => blocks.map((block) => own(textOf(block).toString()))).toEqual(wanted)
      await other.close()
    },
  )

const textOf = (block: XmlElement): XmlText => block.get(0) as XmlText

/** Edits of another person in every line, one after the other: a letter more, and the next time one less. */
function writeInTheMiddle(blocks: readonly XmlElement[]) {
  let edits = 0
  const timer = setInterval(() => {
    const text = textOf(blocks[edits % blocks.length]!)
    const at = text.toString().indexOf('·') + 1
    if (text.toString()[at] === remote) text.delete(at, 1)
    else text.insert(at, remote)
    edits += 1
  }, PACE_MS)
  return {
    stop: () => clearInterval(timer),
    get edits() {
      return edits
    },
  }
}

/** Returns what the lines are then. */
async function moveAndWrite(window: Window, random: Random): Promise<string[]> {
  const hands = await Hands.of(window.page)
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
    await makeMove(hands, move, line, points)
    const letter = n % 10 === 9 ? await compose(hands) : type(hands, letters[n % letters.length]!)
    await hands.rest()
    const { start, end } = written[move.line]!
    written[move.line] = move.side === 'start' ? { start: letter + start, end } : { start, end: end + letter }
    line = move.line
  }
  return written.map(({ start, end }, index) => `${start}${nameOf(index)}${end}`)
}

function type(hands: Hands, letter: string): string {
  hands.type(letter)
  return letter
}

/** As an input method does: it goes on for several remote edits. */
async function compose(hands: Hands): Promise<string> {
  for (const shown of ['n', 'に', 'にh', 'にほ']) {
    hands.compose(shown)
    await hands.rest()
    await sleep(4 * PACE_MS)
  }
  hands.commit('日本')
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
  hands: Hands,
  { by, side, line }: Move,
  from: number,
  points: readonly Record<Side, Point>[],
): Promise<void> {
  if (by === 'key') {
    if (line !== from) hands.press(line > from ? 'ArrowDown' : 'ArrowUp')
    hands.press(side === 'start' ? 'Home' : 'End')
    return
  }
  const point = points[line]![side]
  if (by === 'mouse') hands.click(point)
  else await hands.tap(point)
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
