import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { AfterFirstWriteCork, TurnCork } from './write-cork.ts'
import { settle } from '../../lib/fixtures/wait.ts'

/** Records what reaches the system, one entry a call. */
class RecordingStream extends Writable {
  readonly calls: string[] = []

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.calls.push(chunk.toString())
    done()
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.calls.push(chunks.map(({ chunk }) => chunk.toString()).join('+'))
    done()
  }
}

function openCorkedStream<Cork extends { beforeWrite(bytes: number): void }>(
  createCork: (stream: Writable) => Cork,
) {
  const stream = new RecordingStream()
  const cork = createCork(stream)
  const write = (...pieces: string[]): void => {
    for (const piece of pieces) {
      cork.beforeWrite(piece.length)
      stream.write(piece)
    }
  }
  return { write, calls: stream.calls }
}

test('writes of one turn are one call, turn by turn, and on each of several streams', async () => {
  const corkedStreams = [0, 1, 2].map(() => openCorkedStream((stream) => new TurnCork(stream)))
  for (const { write } of corkedStreams) write('a', 'b', 'c')
  expect(corkedStreams.map(({ calls }) => calls)).toEqual([[], [], []])
  await settle()
  for (const { write } of corkedStreams) write('d', 'e')
  await settle()
  for (const { calls } of corkedStreams) expect(calls).toEqual(['a+b+c', 'd+e'])
})

test('a write by another callback at the end of the turn is sent too', async () => {
  const [one, other] = [0, 1].map(() => openCorkedStream((stream) => new TurnCork(stream))) as [
    ReturnType<typeof openCorkedStream>,
    ReturnType<typeof openCorkedStream>,
  ]
  one.write('a')
  process.nextTick(() => other.write('b', 'c'))
  await settle()
  expect([one.calls, other.calls]).toEqual([['a'], ['b+c']])
})

test('the cork after the first write collects from the start if a frame is large', async () => {
  const { write, calls } = openCorkedStream((stream) => new AfterFirstWriteCork(stream))
  const large = 'l'.repeat(8_000)
  write(large, 'b')
  expect(calls).toEqual([])
  await settle()
  expect(calls).toEqual([`${large}+b`])
})

test('the cork after the first write sends the first of each turn at once, and collects the rest', async () => {
  const { write, calls } = openCorkedStream((stream) => new AfterFirstWriteCork(stream))
  write('a')
  expect(calls).toEqual(['a'])
  write('b', 'c')
  expect(calls).toEqual(['a'])
  await settle()
  expect(calls).toEqual(['a', 'b+c'])
  write('d')
  expect(calls).toEqual(['a', 'b+c', 'd'])
  write('e', 'f')
  await settle()
  expect(calls).toEqual(['a', 'b+c', 'd', 'e+f'])
})
