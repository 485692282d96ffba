import { expect, test } from 'vitest'
import { ManualClock } from '../../session/fixtures/manual-clock.ts'
import { CopyWriter, type CurrentText } from './copy-writer.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const textOf = (content: Uint8Array): string => new TextDecoder().decode(content)

/** The written copies, one entry each: the whole text, or `+` and what it grew by. */
function openCopyWriter() {
  const clock = new ManualClock()
  const written: string[] = []
  const disk = { fails: false, takesMs: 0 }
  let text: CurrentText | null = { state: null, title: '', role: 'editor' }
  const copyWriter = new CopyWriter({
    clock,
    after: (ms, run) => void clock.after(ms, run),
    currentText: () => text,
    async writeCopy(_details, content) {
      if (disk.takesMs > 0) await new Promise<void>((resolve) => clock.after(disk.takesMs, resolve))
      if (disk.fails) throw new Error('the disk is full')
      written.push(content instanceof Uint8Array ? textOf(content) : `+${content.map(textOf).join('')}`)
    },
  })
  const setText = (whole: string | null) =>
    void (text = { state: whole === null ? null : bytes(whole), title: '', role: 'editor' })
  return { clock, written, disk, copyWriter, setText }
}

test('a copy is written 2 s after a change, once for all that changed by then, and only by the elected window', async () => {
  const { clock, written, copyWriter, setText } = openCopyWriter()
  setText('abc')
  copyWriter.onChanged()
  await clock.pass(10_000)
  expect(written).toEqual([])
  copyWriter.onElected()
  await clock.pass(1_999)
  copyWriter.onChanged()
  expect(written).toEqual([])
  await clock.pass(1)
  expect(written).toEqual(['abc'])
  await clock.pass(10_000)
  expect(written).toEqual(['abc'])
})

test('a copy may cost a twentieth of the time, but comes every 20 s however slow the disk is', async () => {
  const { clock, written, disk, copyWriter, setText } = openCopyWriter()
  setText('abc')
  copyWriter.onElected()
  for (const [takesMs, waits] of [
    [500, 2_000],
    [5_000, 10_000],
    [0, 20_000],
  ] as const) {
    // prettier-ignore
    disk.takesMs = takesMs
    copyWriter.onChanged()
    const before = written.length
    await clock.pass(waits - 1 + takesMs)
    expect(written.length).toBe(before)
    await clock.pass(1)
    expect(written.length).toBe(before + 1)
  }
})

test('while something is unsaved the copy grows by the server’s updates, where a copy is there', async () => {
  const { clock, written, copyWriter } = openCopyWriter()
  copyWriter.onLoaded(true)
  copyWriter.onElected()
  for (const update of ['a', 'b']) copyWriter.onServerUpdate(bytes(update))
  await clock.pass(2_000)
  expect(written).toEqual(['+ab'])
  copyWriter.onChanged()
  await clock.pass(2_000)
  expect(written).toEqual(['+ab'])
})

test.each<[why: string, prepare: (copyWriter: CopyWriter) => void]>([
  ['no copy is there', () => {}],
  [
    'an update came before this window was elected',
    (copyWriter) => (copyWriter.onLoaded(true), copyWriter.onServerUpdate(bytes('a'))),
  ],
])('the copy waits until the whole text is saved where %s', async (_why, prepare) => {
  const { clock, written, copyWriter, setText } = openCopyWriter()
  prepare(copyWriter)
  copyWriter.onElected()
  copyWriter.onServerUpdate(bytes('b'))
  await clock.pass(2_000)
  expect(written).toEqual([])
  copyWriter.onSaved()
  setText('ab')
  copyWriter.onSaved()
  await clock.pass(0)
  expect(written).toEqual(['ab'])
  setText(null)
  copyWriter.onServerUpdate(bytes('c'))
  copyWriter.onChanged()
  await clock.pass(2_000)
  expect(written).toEqual(['ab', '+c'])
})

test('updates that the disk would not take are offered again with the next copy, in order', async () => {
  const { clock, written, disk, copyWriter } = openCopyWriter()
  copyWriter.onLoaded(true)
  copyWriter.onElected()
  copyWriter.onServerUpdate(bytes('a'))
  disk.fails = true
  await clock.pass(2_000)
  disk.fails = false
  copyWriter.onServerUpdate(bytes('b'))
  await clock.pass(2_000)
  expect(written).toEqual(['+ab'])
})

test('one copy is written at a time; what falls due meanwhile follows it', async () => {
  const { clock, written, disk, copyWriter, setText } = openCopyWriter()
  disk.takesMs = 3_000
  setText('a')
  copyWriter.onElected()
  await clock.pass(2_000)
  setText('ab')
  copyWriter.onChanged()
  await clock.pass(3_000)
  expect(written).toEqual(['a'])
  await clock.pass(2_999)
  expect(written).toEqual(['a'])
  await clock.pass(1)
  expect(written).toEqual(['a', 'ab'])
})
