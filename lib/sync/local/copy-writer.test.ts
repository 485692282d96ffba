import { expect, test } from 'vitest'
import { ManualClock } from '../../session/fixtures/manual-clock.ts'
import { CopyWriter, type CurrentText } from './copy-writer.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const words = (content: Uint8Array): string => new TextDecoder().decode(content)

/** What was written, one line a copy: the whole text, or `+` and what it grew by. */
function opened() {
  const clock = new ManualClock()
  const written: string[] = []
  const disk = { fails: false, takesMs: 0 }
  let text: CurrentText | null = { state: null, title: '', role: 'editor' }
  const copies = new CopyWriter({
    clock,
    after: (ms, run) => void clock.after(ms, run),
    text: () => text,
    async write(_about, content) {
      if (disk.takesMs > 0) await new Promise<void>((resolve) => clock.after(disk.takesMs, resolve))
      if (disk.fails) throw new Error('the disk is full')
      written.push(content instanceof Uint8Array ? words(content) : `+${content.map(words).join('')}`)
    },
  })
  const shows = (whole: string | null) =>
    void (text = { state: whole === null ? null : bytes(whole), title: '', role: 'editor' })
  return { clock, written, disk, copies, shows }
}

test('a copy is written 2 s after a change, once for all that changed by then, and by the keeper alone', async () => {
  const { clock, written, copies, shows } = opened()
  shows('abc')
  copies.changed()
  await clock.pass(10_000)
  expect(written).toEqual([])
  copies.elected()
  await clock.pass(1_999)
  copies.changed()
  expect(written).toEqual([])
  await clock.pass(1)
  expect(written).toEqual(['abc'])
  await clock.pass(10_000)
  expect(written).toEqual(['abc'])
})

test('a copy may cost a twentieth of the time, but comes every 20 s however slow the disk is', async () => {
  const { clock, written, disk, copies, shows } = opened()
  shows('abc')
  copies.elected()
  for (const [takesMs, waits] of [
    [500, 2_000],
    [5_000, 10_000],
    [0, 20_000],
  ] as const) {
    // prettier-ignore
    disk.takesMs = takesMs
    copies.changed()
    const before = written.length
    await clock.pass(waits - 1 + takesMs)
    expect(written.length).toBe(before)
    await clock.pass(1)
    expect(written.length).toBe(before + 1)
  }
})

test('while something is unsaved it grows by what the server said, where a copy is there', async () => {
  const { clock, written, copies } = opened()
  copies.found(true)
  copies.elected()
  for (const said of ['a', 'b']) copies.heard(bytes(said))
  await clock.pass(2_000)
  expect(written).toEqual(['+ab'])
  copies.changed()
  await clock.pass(2_000)
  expect(written).toEqual(['+ab'])
})

test.each<[why: string, hear: (copies: CopyWriter) => void]>([
  ['no copy is there', () => {}],
  [
    'something was said before this window was elected',
    (copies) => (copies.found(true), copies.heard(bytes('a'))),
  ],
])('it waits until the whole text is saved where %s', async (_why, hear) => {
  const { clock, written, copies, shows } = opened()
  hear(copies)
  copies.elected()
  copies.heard(bytes('b'))
  await clock.pass(2_000)
  expect(written).toEqual([])
  copies.saved()
  shows('ab')
  copies.saved()
  await clock.pass(0)
  expect(written).toEqual(['ab'])
  shows(null)
  copies.heard(bytes('c'))
  copies.changed()
  await clock.pass(2_000)
  expect(written).toEqual(['ab', '+c'])
})

test('what a disk would not take is offered again with the next copy, in order', async () => {
  const { clock, written, disk, copies } = opened()
  copies.found(true)
  copies.elected()
  copies.heard(bytes('a'))
  disk.fails = true
  await clock.pass(2_000)
  disk.fails = false
  copies.heard(bytes('b'))
  await clock.pass(2_000)
  expect(written).toEqual(['+ab'])
})

test('one copy is written at a time; what falls due meanwhile goes behind it', async () => {
  const { clock, written, disk, copies, shows } = opened()
  disk.takesMs = 3_000
  shows('a')
  copies.elected()
  await clock.pass(2_000)
  shows('ab')
  copies.changed()
  await clock.pass(3_000)
  expect(written).toEqual(['a'])
  await clock.pass(2_999)
  expect(written).toEqual(['a'])
  await clock.pass(1)
  expect(written).toEqual(['a', 'ab'])
})
