/** What every DocumentStore does (D1–D5, D8), whichever database is behind it. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { TestChild } from '../fixtures/child-process.ts'
import { edit, impossibleEdit, numberedEdit, numbers, textsOf } from './fixtures/edits.ts'
import { type DocumentStore, type Part, StoreError } from './store.ts'

/** Data of one test, empty at first, and what can be done to it from outside. */
export interface StoreFixture {
  /** Opens the same data each time; the caller closes before the next. */
  open(): Promise<DocumentStore>
  /** Runs fixtures/crash-writer on the data, in a process of its own. */
  startWriter(): TestChild
  /** Makes every write of the open store fail; resolves to the undo. */
  breakWrites(how: WriteFault): Promise<() => Promise<void>>
  /** Flips one bit of the oldest log entry or of the snapshot of the open store, or takes that entry away. */
  damage(document: string, part: Part, what: Damage): Promise<void>
  /** Closes what is open and removes everything. */
  dispose(): Promise<void>
}

export type WriteFault = 'full' | 'read-only'
export type Damage = 'log' | 'snapshot' | 'state vector' | 'gap'

const encode = (text: string) => new TextEncoder().encode(text)

export const describeStore = (name: string, createFixture: () => Promise<StoreFixture>): void => {
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
    const texts = async (document: string, part: Part = 'body') => textsOf(await store.load(document, part))

    describe('[D8] the log', () => {
      test('comes back in the order of the calls', async () => {
        await Promise.all([
          store.append([edit('d', 'one'), edit('d', 'two')]),
          store.append([edit('d', 'three')]),
        ])
        await store.append([edit('d', 'four')])
        expect(await texts('d')).toEqual(['one', 'two', 'three', 'four'])
      })

      test('answers the sequence number of each edit, and the last one when loading', async () => {
        const first = await store.append([edit('d', 'one'), edit('d', 'two')])
        const second = await store.append([edit('d', 'three')])
        const all = [...first, ...second]
        expect(all).toEqual(all.toSorted((a, b) => a - b))
        expect(new Set(all).size).toBe(3)
        expect(await store.load('d', 'body')).toMatchObject({ sequence: second[0], logLength: 3 })
      })

      test('of an unknown document is empty', async () => {
        expect(await store.load('nobody', 'body')).toEqual({ updates: [], sequence: 0, logLength: 0 })
      })

      test('keeps documents and parts apart', async () => {
        await store.append([edit('d', 'body'), edit('d', 'comment', 'comments'), edit('e', 'other')])
        expect(await texts('d')).toEqual(['body'])
        expect(await texts('d', 'comments')).toEqual(['comment'])
        expect(await texts('e')).toEqual(['other'])
      })

      test('keeps bytes as they are, also long ones and views of larger buffers, and leaves them to the caller', async () => {
        const long = Uint8Array.from({ length: 3_000_000 }, (_, index) => index % 251)
        const view = long.subarray(1000, 1300)
        await store.append([
          { ...edit('d', ''), update: long },
          { ...edit('d', ''), update: view },
        ])
        const { updates } = await store.load('d', 'body')
        expect(updates.map((update) => Buffer.compare(update, long))).toContain(0)
        expect(Buffer.compare(updates[1]!, view)).toBe(0)
        expect(view.length).toBe(300)
      })

      test('survives closing and opening, and goes on counting, also behind a snapshot of everything', async () => {
        await store.append([edit('d', 'one')])
        await reopen()
        const [second] = await store.append([edit('d', 'two')])
        await store.compact('d', 'body', encode('both'), second!)
        await reopen()
        const [third] = await store.append([edit('d', 'three')])
        expect(third).toBeGreaterThan(second!)
        expect(await texts('d')).toEqual(['both', 'three'])
      })
    })

    describe('[D1] appending', () => {
      test('takes many at once to many documents, each in its order', async () => {
        const documents = numbers(1, 20).map((n) => `document-${n}`)
        const calls = numbers(1, 50).flatMap((n) => documents.map((d) => store.append([numberedEdit(d, n)])))
        await Promise.all(calls)
        const all = await Promise.all(documents.map((document) => texts(document)))
        expect(all).toEqual(documents.map(() => numbers(1, 50).map(String)))
      })

      test('writes all of a call or nothing of it, and a neighbour in the same commit is not hurt', async () => {
        const outcomes = await Promise.allSettled([
          store.append([edit('d', 'before')]),
          store.append([edit('d', 'lost'), edit('e', 'lost'), impossibleEdit('d')]),
          store.append([edit('d', 'after'), edit('d', 'last')]),
        ])
        expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
        expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(StoreError)
        expect(await texts('d')).toEqual(['before', 'after', 'last'])
        expect(await texts('e')).toEqual([])
      })

      test('nothing is nothing', async () => {
        expect(await store.append([])).toEqual([])
      })
    })

    describe('[A5] the owners of client ids', () => {
      const claiming = (client: number, principal: string, document = 'd', part: Part = 'body') => ({
        ...edit(document, `${principal} ${client}`, part),
        claims: [{ client, principal }],
      })
      const ownersOf = async (document: string, part: Part = 'body') => [
        ...((await store.load(document, part)).owners ?? []),
      ]

      test('come back with the document, also behind a snapshot and after opening', async () => {
        const [sequence] = await store.append([claiming(7, 'user:ada'), claiming(2 ** 53 - 1, 'link:x')])
        const owners = [
          [7, 'user:ada'],
          [2 ** 53 - 1, 'link:x'],
        ]
        expect(await ownersOf('d')).toEqual(owners)
        await store.compact('d', 'body', encode('one'), sequence!)
        await reopen()
        expect(await ownersOf('d')).toEqual(owners)
      })

      test('are of one document and part alone', async () => {
        await store.append([claiming(7, 'user:ada'), edit('e', 'nobody'), edit('d', 'nobody', 'comments')])
        expect(await ownersOf('e')).toEqual([])
        expect(await ownersOf('d', 'comments')).toEqual([])
      })

      test('stay whose they were first', async () => {
        await store.append([claiming(7, 'user:ada'), claiming(7, 'user:mallory')])
        await store.append([claiming(7, 'user:mallory')])
        expect(await ownersOf('d')).toEqual([[7, 'user:ada']])
      })

      test('are written with the edit that uses them first, or not at all', async () => {
        await expect(store.append([claiming(7, 'user:mallory'), impossibleEdit('d')])).rejects.toThrow(
          StoreError,
        )
        await store.append([claiming(7, 'user:ada')])
        expect(await ownersOf('d')).toEqual([[7, 'user:ada']])
      })
    })

    describe('[D5] compaction', () => {
      test('replaces what the snapshot contains and keeps what came later', async () => {
        const sequences = await store.append(['one', 'two', 'three'].map((word) => edit('d', word)))
        await store.append([edit('e', 'other')])
        await store.compact('d', 'body', encode('one+two'), sequences[1]!)
        expect(await texts('d')).toEqual(['one+two', 'three'])
        expect(await store.load('d', 'body')).toMatchObject({ sequence: sequences[2], logLength: 1 })
        expect(await texts('e')).toEqual(['other'])
      })

      test('replaces an earlier snapshot', async () => {
        const [first] = await store.append([edit('d', 'one')])
        await store.compact('d', 'body', encode('one'), first!)
        const [second] = await store.append([edit('d', 'two')])
        await store.compact('d', 'body', encode('one+two'), second!)
        expect(await store.load('d', 'body')).toEqual({
          updates: [encode('one+two')],
          sequence: second,
          logLength: 0,
        })
      })

      test('keeps a snapshot’s state vector beside it, where it was given', async () => {
        const [first] = await store.append([edit('d', 'one')])
        await store.compact('d', 'body', encode('one'), first!, Uint8Array.of(1, 2, 3))
        const { stateVector } = await store.load('d', 'body')
        expect(stateVector && [...stateVector]).toEqual([1, 2, 3])
        const [second] = await store.append([edit('d', 'two')])
        await store.compact('d', 'body', encode('one+two'), second!)
        expect((await store.load('d', 'body')).stateVector).toBeUndefined()
      })

      test('begins a text that was merged elsewhere, with the owners of its client ids, and goes on behind it', async () => {
        const claims = [7, 8].map((client) => ({ client, principal: 'server' }))
        const [sequence] = await store.append([{ ...edit('copy', 'claims'), claims }])
        await store.compact('copy', 'body', encode('merged'), sequence!, Uint8Array.of(1))
        await store.append([edit('copy', 'title')])
        await reopen()
        expect(await texts('copy')).toEqual(['merged', 'title'])
        const { owners, stateVector, logLength } = await store.load('copy', 'body')
        expect([[...owners!.keys()], [...stateVector!], logLength]).toEqual([[7, 8], [1], 1])
      })

      test('refuses a snapshot that is older than the one there, or newer than the log', async () => {
        const [first, second] = await store.append([edit('d', 'one'), edit('d', 'two')])
        await store.compact('d', 'body', encode('one+two'), second!)
        await expect(store.compact('d', 'body', encode('one'), first!)).rejects.toThrow(StoreError)
        await expect(store.compact('d', 'body', encode('three'), second! + 1)).rejects.toThrow(StoreError)
        expect(await texts('d')).toEqual(['one+two'])
      })
    })

    describe.each(['full', 'read-only'] as const)('[D3] a store that is %s', (fault) => {
      test('rejects, keeps what it had, says so to the health check, and heals', async () => {
        const [sequence] = await store.append([edit('d', 'kept')])
        const heal = await fixture.breakWrites(fault)

        const long = { ...edit('d', ''), update: new Uint8Array(1_000_000) }
        await expect(store.append([long])).rejects.toThrow(StoreError)
        await expect(store.compact('d', 'body', long.update, sequence!)).rejects.toThrow(StoreError)
        if (fault === 'read-only')
          await expect.poll(() => rejects(store.check()), { timeout: 5000 }).toBe(true)
        expect(await texts('d')).toEqual(['kept'])

        await heal()
        await store.append([long, edit('d', 'again')])
        await expect.poll(() => rejects(store.check()), { timeout: 5000 }).toBe(false)
        expect((await texts('d')).filter((text) => text.length < 9)).toEqual(['kept', 'again'])
      })
    })

    describe('[D4] a damaged document', () => {
      test.each<Damage>(['log', 'snapshot', 'state vector', 'gap'])(
        'is never served in part or empty (%s)',
        async (what) => {
          const [first] = await store.append(['one', 'two', 'three'].map((word) => edit('d', word)))
          await store.append([edit('e', 'whole')])
          await store.compact('d', 'body', encode('one'), first!, Uint8Array.of(1, 2, 3))
          await fixture.damage('d', 'body', what)
          await expect(store.load('d', 'body')).rejects.toThrow(StoreError)
          expect(await texts('e')).toEqual(['whole'])
        },
      )
    })

    test('[D2] after kill -9 every acknowledged edit is there, once, in order', async () => {
      for (const enough of [3, 250, 40]) {
        await store.close()
        await using writer = fixture.startWriter()
        const acknowledged = await writeAndKill(writer, enough)
        store = await fixture.open()
        for (const document of ['a', 'b', 'c', 'd', 'e']) {
          const found = (await texts(document)).map(Number)
          expect(found).toEqual(numbers(1, found.length))
          expect(found.length).toBeGreaterThanOrEqual(acknowledged.get(document) ?? 0)
        }
      }
    })

    test('[D1] closing waits for what is being written; later calls are refused', async () => {
      const writing = Promise.all(numbers(1, 200).map((n) => store.append([numberedEdit('d', n)])))
      const closing = store.close()
      await expect(store.append([edit('d', 'late')])).rejects.toThrow(StoreError)
      await closing
      await expect(writing).resolves.toHaveLength(200)
      await expect(store.load('d', 'body')).rejects.toThrow(StoreError)
      await expect(store.check()).rejects.toThrow(StoreError)
      await store.close()
      store = await fixture.open()
      expect(await texts('d')).toEqual(numbers(1, 200).map(String))
    })

    test('a healthy store passes its check, however often it is asked', async () => {
      await Promise.all(numbers(1, 100).map(() => store.check()))
    })
  })
}

const rejects = (promise: Promise<void>) =>
  promise.then(
    () => false,
    () => true,
  )

/** Kills the writer after `enough` acknowledgements; answers the last number acknowledged of each document. */
const writeAndKill = async (writer: TestChild, enough: number): Promise<Map<string, number>> => {
  let lines = 0
  writer.process.stdout.on('data', (chunk: string) => {
    lines += chunk.split('\n').length - 1
    if (lines >= enough) writer.process.kill('SIGKILL')
  })
  const { signal, stdout, stderr } = await writer.ended
  expect([signal, stderr]).toEqual(['SIGKILL', ''])
  const whole = stdout.split('\n').slice(0, -1)
  return new Map(
    whole.map((line) => line.split(' ')).map(([document, number]) => [document!, Number(number)]),
  )
}
