/** Tests a store whose thread dies: it is replaced, nothing acknowledged is lost, and nothing is stored twice (D1, D2, D3). */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BroadcastChannel } from 'node:worker_threads'
import type { Logger } from 'pino'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { textEdit, textsOf } from './fixtures/text-edits.ts'
import type { CrashPoint } from './fixtures/crashing-sqlite-worker.ts'
import { createStoreFolder } from './fixtures/sqlite-fixture.ts'
import type { Store } from './document-store.ts'
import { openSqliteStore } from './sqlite.ts'
import { StoreError } from './store.ts'

let folder: string
let file: string
let store: Store
let commands: BroadcastChannel
let gaveUp: PromiseWithResolvers<Error>
const error = vi.fn()

beforeEach(async () => {
  folder = await createStoreFolder()
  file = join(folder, 'store.sqlite')
  commands = new BroadcastChannel(file)
  gaveUp = Promise.withResolvers()
  error.mockClear()
  store = await openSqliteStore({
    file,
    log: { error } as unknown as Logger,
    workerFile: new URL('./fixtures/crashing-sqlite-worker.ts', import.meta.url),
    onGiveUp: gaveUp.resolve,
  })
})
afterEach(async () => {
  commands.close()
  await store.close()
})

async function crashAt(crashPoint: Exclude<CrashPoint, 'now'>): Promise<void> {
  const acknowledged = once(commands, 'message')
  commands.postMessage(crashPoint)
  await acknowledged
}

async function crashNow(): Promise<void> {
  commands.postMessage('now')
  // The thread may still answer some requests before it receives the order to crash.
  const loadUntilCrash = async () => {
    for (;;) await store.documents.load('d', 'body')
  }
  await expect(loadUntilCrash()).rejects.toThrow('The thread of the store died')
}

const texts = async () => textsOf(await store.documents.load('d', 'body'))

/** Retries until it is answered, as a room does. */
async function retryUntilAnswered<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}

describe('[D3] the thread of a store that dies', () => {
  test('is replaced, and the next calls are answered', async () => {
    await store.documents.append([textEdit('d', 'one')])
    await crashNow()
    expect(await retryUntilAnswered(texts)).toEqual(['one'])
    expect(await store.documents.append([textEdit('d', 'two')])).toEqual([2])
    await retryUntilAnswered(() => store.documents.check())
    // A database that cannot be reopened ends its thread, so the connection must receive the outcome of `open`.
    expect(error.mock.calls.map(([, what]) => what as string)).toEqual(['the thread of the store died'])
  })

  test.each(['before append', 'after append'] as const)(
    'in the middle of an append (%s) stores it once, and it is acknowledged',
    async (death) => {
      await store.documents.append([textEdit('d', 'before')])
      await crashAt(death)
      const appended = await Promise.all([
        store.documents.append([textEdit('d', 'one'), textEdit('d', 'two')]),
        store.documents.append([textEdit('e', 'elsewhere')]),
      ])
      expect(appended).toEqual([[2, 3], [1]])
      expect(await texts()).toEqual(['before', 'one', 'two'])
      expect(await store.documents.append([textEdit('d', 'after')])).toEqual([4])
    },
  )

  test('twice in a row, the second time after an append: a later retry stores it once', async () => {
    await crashNow()
    await retryUntilAnswered(texts)
    await crashAt('after append')
    const edits = [textEdit('d', 'one')]
    await expect(store.documents.append(edits)).rejects.toThrow(StoreError)
    expect(await retryUntilAnswered(() => store.documents.append(edits))).toEqual([1])
    expect(await texts()).toEqual(['one'])
  })

  test('in the middle of a transaction ends the transaction, and nothing of it is written', async () => {
    const lost = store.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('health').values({ id: 7, written_at: 7 }).execute()
      commands.postMessage('now')
      for (;;) await transaction.selectFrom('health').selectAll().execute()
    })
    await expect(lost).rejects.toThrow()
    expect(await retryUntilAnswered(texts)).toEqual([])
    expect(await store.db.selectFrom('health').selectAll().where('id', '=', 7).execute()).toEqual([])
  })

  test('again and again is given up with a report; nothing is acknowledged any more', async () => {
    await store.documents.append([textEdit('d', 'kept')])
    await writeFile(`${file}.deadly`, '')
    await expect(store.documents.append([textEdit('d', 'lost')])).rejects.toThrow(StoreError)
    expect((await gaveUp.promise).message).toBe('The thread of the store died')
    await expect(store.documents.append([textEdit('d', 'lost')])).rejects.toThrow(StoreError)
    await expect(store.documents.check()).rejects.toThrow(StoreError)
  })
})
