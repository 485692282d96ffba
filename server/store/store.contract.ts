/** The contract of every DocumentStore (D1–D5, D8), whichever database is behind it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestChild } from '../fixtures/child-process.ts'
import { textEdit, impossibleEdit, numberedEdit, numberRange, textsOf } from './fixtures/text-edits.ts'
import { type DocumentStore, type DocumentPart, StoreError } from './store.ts'

/** The data of one test, empty at first, and what a test can do to it from outside. */
export interface StoreFixture {
  /** Opens the same data each time; the caller closes one store before it opens the next. */
  open(): Promise<DocumentStore>
  /** Runs fixtures/crash-writer on the data, in its own process. */
  startCrashWriter(): TestChild
  /** Makes every write of the open store fail; resolves to the undo. */
  breakWrites(how: WriteFaultKind): Promise<() => Promise<void>>
  /** Flips one bit of the oldest log entry or of the snapshot of the open store, or removes that entry. */
  damage(document: string, part: DocumentPart, what: DamageKind): Promise<void>
  /** Closes the store and removes everything. */
  dispose(): Promise<void>
}

export type WriteFaultKind = 'full' | 'read-only'
export type DamageKind = 'log' | 'snapshot' | 'state vector' | 'gap'

const encodeText = (text: string) => new TextEncoder().encode(text)

export const describeDocumentStore = (name: string, createFixture: () => Promise<StoreFixture>): void => {
  describe(`${name} as a document store`, () => {
    let fixture: StoreFixture
    let store: DocumentStore

    beforeEach(async () => {
      fixture = await createFixture()
      store = await fixture.open()
    })
    afterEach(() => fixture.dispose())

    const reopen = async () => {
      await store.close()
      store = await fixture.open()
    }
    const readTexts = async (document: string, part: DocumentPart = 'body') =>
      textsOf(await store.load(document, part))

    describe('[D8] the log', () => {
      test('is loaded in the order of the calls', async () => {
        await Promise.all([
          store.append([textEdit('d', 'one'), textEdit('d', 'two')]),
          store.append([textEdit('d', 'three')]),
        ])
        await store.append([textEdit('d', 'four')])
        expect(await readTexts('d')).toEqual(['one', 'two', 'three', 'four'])
      })

      test('returns the sequence number of each edit, and the last one when loading', async () => {
        const first = await store.append([textEdit('d', 'one'), textEdit('d', 'two')])
        const second = await store.append([textEdit('d', 'three')])
        const all = [...first, ...second]
        expect(all).toEqual(all.toSorted((a, b) => a - b))
        expect(new Set(all).size).toBe(3)
        expect(await store.load('d', 'body')).toMatchObject({ sequence: second[0], logLength: 3 })
      })

      test('of an unknown document is empty', async () => {
        expect(await store.load('nobody', 'body')).toEqual({ updates: [], sequence: 0, logLength: 0 })
      })

      test('keeps documents and parts separate', async () => {
        await store.append([
          textEdit('d', 'body'),
          textEdit('d', 'comment', 'comments'),
          textEdit('e', 'other'),
        ])
        expect(await readTexts('d')).toEqual(['body'])
        expect(await readTexts('d', 'comments')).toEqual(['comment'])
        expect(await readTexts('e')).toEqual(['other'])
      })

      test('keeps bytes unchanged, also long ones and views of larger buffers, and does not detach the caller’s', async () => {
        const long = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251)
        const view = long.subarray(1000, 1300)
        await store.append([
          { ...textEdit('d', ''), update: long },
          { ...textEdit('d', ''), update: view },
        ])
        const { updates } = await store.load('d', 'body')
        expect(updates.map((update) => Buffer.compare(update, long))).toContain(0)
        expect(Buffer.compare(updates[1]!, view)).toBe(0)
        expect(view.length).toBe(300)
      })

      test('survives closing and opening, and continues its numbers, also after a snapshot of everything', async () => {
        await store.append([textEdit('d', 'one')])
        await reopen()
        const [second] = await store.append([textEdit('d', 'two')])
        await store.compact('d', 'body', encodeText('both'), second!)
        await reopen()
        const [third] = await store.append([textEdit('d', 'three')])
        expect(third).toBeGreaterThan(second!)
        expect(await readTexts('d')).toEqual(['both', 'three'])
      })
    })

    describe('[D1] appending', () => {
      test('takes many at once to many documents, each in its order', async () => {
        const documents = numberRange(1, 20).map((n) => `document-${n}`)
        const calls = numberRange(1, 50).flatMap((n) =>
          documents.map((d) => store.append([numberedEdit(d, n)])),
        )
        await Promise.all(calls)
        const all = await Promise.all(documents.map((document) => readTexts(document)))
        expect(all).toEqual(documents.map(() => numberRange(1, 50).map(String)))
      })

      test('writes all of a call or nothing of it, and other calls of the same commit are not affected', async () => {
        const outcomes = await Promise.allSettled([
          store.append([textEdit('d', 'before')]),
          store.append([textEdit('d', 'lost'), textEdit('e', 'lost'), impossibleEdit('d')]),
          store.append([textEdit('d', 'after'), textEdit('d', 'last')]),
        ])
        expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(StoreError)
        expect(await readTexts('d')).toEqual(['before', 'after', 'last'])
        expect(await readTexts('e')).toEqual([])
      })

      test('writes nothing for a call without edits', async () => {
        expect(await store.append([])).toEqual([])
      })
    })

    describe('[A5] the owners of client ids', () => {
      const editWithClaim = (
        client: number,
        principal: string,
        document = 'd',
        part: DocumentPart = 'body',
      ) => ({
        ...textEdit(document, `${principal} ${client}`, part),
        claims: [{ client, principal }],
      })
      const readOwners = async (document: string, part: DocumentPart = 'body') => [
        ...((await store.load(document, part)).owners ?? []),
      ]

      test('are loaded with the document, also after a snapshot and after reopening', async () => {
        const [sequence] = await store.append([
          editWithClaim(7, 'user:ada'),
          editWithClaim(2 ** 53 - 1, 'link:x'),
        ])
        const owners = [
          [7, 'user:ada'],
          [2 ** 53 - 1, 'link:x'],
        ]
        expect(await readOwners('d')).toEqual(owners)
        await store.compact('d', 'body', encodeText('one'), sequence!)
        await reopen()
        expect(await readOwners('d')).toEqual(owners)
      })

      test('belong to one document and part alone', async () => {
        await store.append([
          editWithClaim(7, 'user:ada'),
          textEdit('e', 'nobody'),
          textEdit('d', 'nobody', 'comments'),
        ])
        expect(await readOwners('e')).toEqual([])
        expect(await readOwners('d', 'comments')).toEqual([])
      })

      test('do not change once they are stored', async () => {
        await store.append([editWithClaim(7, 'user:ada'), editWithClaim(7, 'user:mallory')])
        await store.append([editWithClaim(7, 'user:mallory')])
        expect(await readOwners('d')).toEqual([[7, 'user:ada']])
      })

      test('are written with the edit that uses them first, or not at all', async () => {
        await expect(store.append([editWithClaim(7, 'user:mallory'), impossibleEdit('d')])).rejects.toThrow(
          StoreError,
        )
        await store.append([editWithClaim(7, 'user:ada')])
        expect(await readOwners('d')).toEqual([[7, 'user:ada']])
      })
    })

    describe('[D5] compaction', () => {
      test('replaces what the snapshot contains and keeps what came later', async () => {
        const sequences = await store.append(['one', 'two', 'three'].map((word) => textEdit('d', word)))
        await store.append([textEdit('e', 'other')])
        await store.compact('d', 'body', encodeText('one+two'), sequences[1]!)
        expect(await readTexts('d')).toEqual(['one+two', 'three'])
        expect(await store.load('d', 'body')).toMatchObject({ sequence: sequences[2], logLength: 1 })
        expect(await readTexts('e')).toEqual(['other'])
      })

      test('replaces an earlier snapshot', async () => {
        const [first] = await store.append([textEdit('d', 'one')])
        await store.compact('d', 'body', encodeText('one'), first!)
        const [second] = await store.append([textEdit('d', 'two')])
        await store.compact('d', 'body', encodeText('one+two'), second!)
        expect(await store.load('d', 'body')).toEqual({
          updates: [encodeText('one+two')],
          sequence: second,
          logLength: 0,
        })
      })

      test('keeps a snapshot’s state vector beside it, where it was given', async () => {
        const [first] = await store.append([textEdit('d', 'one')])
        await store.compact('d', 'body', encodeText('one'), first!, Uint8Array.of(1, 2, 3))
        const { stateVector } = await store.load('d', 'body')
        expect(stateVector && [...stateVector]).toEqual([1, 2, 3])
        const [second] = await store.append([textEdit('d', 'two')])
        await store.compact('d', 'body', encodeText('one+two'), second!)
        expect((await store.load('d', 'body')).stateVector).toBeUndefined()
      })

      test('stores a text that was merged elsewhere, with the owners of its client ids, and appends after it', async () => {
        const claims = [7, 8].map((client) => ({ client, principal: 'server' }))
        const [sequence] = await store.append([{ ...textEdit('copy', 'claims'), claims }])
        await store.compact('copy', 'body', encodeText('merged'), sequence!, Uint8Array.of(1))
        await store.append([textEdit('copy', 'title')])
        await reopen()
        expect(await readTexts('copy')).toEqual(['merged', 'title'])
        const { owners, stateVector, logLength } = await store.load('copy', 'body')
        expect([[...owners!.keys()], [...stateVector!], logLength]).toEqual([[7, 8], [1], 1])
      })

      test('refuses a snapshot that is older than the present one, or newer than the log', async () => {
        const [first, second] = await store.append([textEdit('d', 'one'), textEdit('d', 'two')])
        await store.compact('d', 'body', encodeText('one+two'), second!)
        await expect(store.compact('d', 'body', encodeText('one'), first!)).rejects.toThrow(StoreError)
        await expect(store.compact('d', 'body', encodeText('three'), second! + 1)).rejects.toThrow(StoreError)
        expect(await readTexts('d')).toEqual(['one+two'])
      })
    })

    describe.each(['full', 'read-only'] as const)('[D3] a store that is %s', (fault) => {
      test('rejects, keeps what it had, fails the health check, and recovers', async () => {
        const [sequence] = await store.append([textEdit('d', 'kept')])
        const heal = await fixture.breakWrites(fault)

        const long = { ...textEdit('d', ''), update: new Uint8Array(1_000_000) }
        await expect(store.append([long])).rejects.toThrow(StoreError)
        await expect(store.compact('d', 'body', long.update, sequence!)).rejects.toThrow(StoreError)
        if (fault === 'read-only')
          await expect.poll(() => isRejected(store.check()), { timeout: 5000 }).toBe(true)
        expect(await readTexts('d')).toEqual(['kept'])

        await heal()
        await store.append([long, textEdit('d', 'again')])
        await expect.poll(() => isRejected(store.check()), { timeout: 5000 }).toBe(false)
        expect((await readTexts('d')).filter((text) => text.length < 9)).toEqual(['kept', 'again'])
      })
    })

    describe('[D4] a damaged document', () => {
      test.each<DamageKind>(['log', 'snapshot', 'state vector', 'gap'])(
        'is never served in part or empty (%s)',
        async (what) => {
          const [first] = await store.append(['one', 'two', 'three'].map((word) => textEdit('d', word)))
          await store.append([textEdit('e', 'whole')])
          await store.compact('d', 'body', encodeText('one'), first!, Uint8Array.of(1, 2, 3))
          await fixture.damage('d', 'body', what)
          await expect(store.load('d', 'body')).rejects.toThrow(StoreError)
          expect(await readTexts('e')).toEqual(['whole'])
        },
      )
    })

    test('[D2] after kill -9 every acknowledged edit is stored, once, in order', async () => {
      for (const count of [3, 250, 40]) {
        await store.close()
        await using writer = fixture.startCrashWriter()
        const acknowledged = await killAfterAcknowledgements(writer, count)
        store = await fixture.open()
        for (const document of ['a', 'b', 'c', 'd', 'e']) {
          const found = (await readTexts(document)).map(Number)
          expect(found).toEqual(numberRange(1, found.length))
          expect(found.length).toBeGreaterThanOrEqual(acknowledged.get(document) ?? 0)
        }
      }
    })

    test('[D1] closing waits for pending writes; later calls are refused', async () => {
      const writing = Promise.all(numberRange(1, 200).map((n) => store.append([numberedEdit('d', n)])))
      const closing = store.close()
      await expect(store.append([textEdit('d', 'late')])).rejects.toThrow(StoreError)
      await closing
      await expect(writing).resolves.toHaveLength(200)
      await expect(store.load('d', 'body')).rejects.toThrow(StoreError)
      await expect(store.check()).rejects.toThrow(StoreError)
      await store.close()
      store = await fixture.open()
      expect(await readTexts('d')).toEqual(numberRange(1, 200).map(String))
    })

    test('a healthy store passes its check, however often it runs', async () => {
      await Promise.all(numberRange(1, 100).map(() => store.check()))
    })
  })
}

const isRejected = (promise: Promise<void>) =>
  promise.then(
    () => false,
    () => true,
  )

/** Kills the writer after `count` acknowledgements; returns the last acknowledged number of each document. */
const killAfterAcknowledgements = async (writer: TestChild, count: number): Promise<Map<string, number>> => {
  let lines = 0
  writer.process.stdout.on('data', (chunk: string) => {
    lines += chunk.split('\n').length - 1
    if (lines >= count) writer.process.kill('SIGKILL')
  })
  const { signal, stdout, stderr } = await writer.ended
  expect([signal, stderr]).toEqual(['SIGKILL', ''])
  const whole = stdout.split('\n').slice(0, -1)
  return new Map(
    whole.map((line) => line.split(' ')).map(([document, number]) => [document!, Number(number)]),
  )
}
