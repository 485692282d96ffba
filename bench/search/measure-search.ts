/**
 * Measures the search in a store of many documents, without a server around it: how long an answer takes, how far the index is behind
 * edits, and what a document takes to index and on the disk. Prints one line a figure.
 *
 * Run as: node --import ./server/require-node.js bench/search/measure-search.ts [--postgres] [DOCUMENTS] [WORDS]
 */
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import * as Y from 'yjs'
import { createSeededRandom } from '../../lib/fixtures/seeded-random.ts'
import { newDocumentId } from '../../lib/protocol/ids.ts'
import { readSearchQuery } from '../../lib/search/search-query.ts'
import { realClock } from '../../lib/session/clock.ts'
import type { Principal } from '../../server/access/principal.ts'
import type { SearchIndex } from '../../server/search/search-index.ts'
import { Search, withChangesNoted } from '../../server/search/search.ts'
import type { Store } from '../../server/store/document-store.ts'
import { startPostgresCluster } from '../../server/store/fixtures/postgres-cluster.ts'
import { openPostgresStore } from '../../server/store/postgres.ts'
import { openSqliteStore } from '../../server/store/sqlite.ts'

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { postgres: { type: 'boolean' } },
})
const [documentCount = 10_000, wordCount = 2_000] = positionals.map(Number)
const VOCABULARY = 50_000
const ROUNDS = 200
/** Owns all documents, or one in a hundred. */
const [everybody, few] = ['user:everybody', 'user:few']

const random = createSeededRandom(1)
const letters = 'etaoinshrdlucmfwypvbgkjqxz'
const wordAt = (rank: number): string => {
  let [word, rest] = ['', rank + 26]
  for (; rest > 0; rest = Math.floor(rest / 26)) word += letters[rest % 26]!
  return word
}
/** As words of a language are: the tenth is a tenth as frequent as the first. */
const nextRank = (): number => Math.floor(VOCABULARY ** random.next()) - 1
const words = (count: number): string => Array.from({ length: count }, () => wordAt(nextRank())).join(' ')
const hanText = (count: number): string =>
  String.fromCodePoint(...Array.from({ length: count }, () => 0x4e00 + Math.floor(3_000 ** random.next())))

function textUpdate(lines: readonly string[]): { update: Uint8Array; clients: number[] } {
  const doc = new Y.Doc()
  const blocks = lines.map((line) => {
    const block = new Y.XmlElement('paragraph')
    block.insert(0, [new Y.XmlText(line)])
    return block
  })
  doc.getXmlFragment('default').insert(0, blocks)
  return { update: Y.encodeStateAsUpdate(doc), clients: [doc.clientID] }
}

const percentile = (sorted: readonly number[], share: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)

function report(what: string, samples: number[]): void {
  const sorted = samples.toSorted((a, b) => a - b)
  console.log(
    `${what}: p50 ${percentile(sorted, 0.5)}, p95 ${percentile(sorted, 0.95)}, p99 ${percentile(sorted, 0.99)} ms`,
  )
}

interface MeasuredStore extends AsyncDisposable {
  readonly store: Store
  /** Returns how many bytes the store has, and the index. */
  measure(): Promise<[number, number]>
}

async function openSqlite(folder: string): Promise<MeasuredStore> {
  const file = join(folder, 'store.sqlite')
  const store = await openSqliteStore({ file })
  const sizeOf = async (name: string) => (await stat(name)).size
  return {
    store,
    measure: async () => [await sizeOf(file), await sizeOf(`${file}-search`)],
    [Symbol.asyncDispose]: () => store.close(),
  }
}

/** On a PostgreSQL of its own with its default settings, in memory where there is room: to fill it is not what is measured. */
async function openPostgres(folder: string): Promise<MeasuredStore> {
  const postgres = await startPostgresCluster(undefined, {})
  const store = await openPostgresStore({ url: postgres.urlOf('postgres'), dataDir: folder })
  return {
    store,
    async measure() {
      const { rows } = await sql<{ all: string; index: string }>`
        select pg_database_size(current_database()) as all, sum(pg_total_relation_size(oid)) as index
        from pg_class where relkind = 'r' and relname like 'search\\_%'
      `.execute(store.db)
      const { all, index } = rows[0]!
      return [Number(all) - Number(index), Number(index)]
    },
    async [Symbol.asyncDispose]() {
      await store.close()
      await postgres[Symbol.asyncDispose]()
    },
  }
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(0)} MiB`

const folder = await mkdtemp(join(tmpdir(), 'diptych-search-'))
try {
  await using opened = await (flags.postgres ? openPostgres(folder) : openSqlite(folder))
  const { store } = opened
  const index = await store.openSearchIndex()
  const ids = Array.from({ length: documentCount }, () => newDocumentId())
  for (const [at, id] of ids.entries()) {
    const isHan = at % 10 === 0
    const lines = Array.from({ length: 20 }, () => (isHan ? hanText(wordCount / 20) : words(wordCount / 20)))
    const owner = at % 100 === 1 ? few : everybody
    const row = { id, title: words(4), owner, created_at: at, updated_at: at }
    await store.db.insertInto('documents').values(row).execute()
    const edit = { document: id, part: 'body', principal: owner, session: '', number: 1 } as const
    await store.documents.append([{ ...edit, ...textUpdate(lines) }])
  }
  console.log(
    `${documentCount} documents of ${wordCount} words, store ${mebibytes((await opened.measure())[0])}`,
  )

  const committedAt = new Map<string, number>()
  const delays: number[] = []
  /** Measures how long after a commit its document was written. */
  const timedIndex = new Proxy(index, {
    get(target, name: keyof SearchIndex) {
      if (name !== 'write') return (target[name] as () => unknown).bind(target)
      return async (text: Parameters<SearchIndex['write']>[0]) => {
        const since = committedAt.get(text.document)
        committedAt.delete(text.document)
        const isWritten = await target.write(text)
        if (since !== undefined) delays.push(performance.now() - since)
        return isWritten
      }
    },
  })
  const search = new Search({ index: timedIndex, store: store.documents, clock: realClock })
  const [startedAt, { user, system }] = [performance.now(), process.cpuUsage()]
  await search.indexer.sweep()
  await search.indexer.whenIdle()
  const cpu = process.cpuUsage({ user, system })
  const cpuMs = (cpu.user + cpu.system) / 1000
  console.log(
    `indexed: ${((performance.now() - startedAt) / documentCount).toFixed(2)} ms a document, ${(cpuMs / documentCount).toFixed(2)} ms of CPU; index ${mebibytes((await opened.measure())[1])}`,
  )

  const principalOf = (id: string): Principal => ({ id, name: '', credential: '' })
  const queries = {
    'a common word': () => wordAt(random.between(0, 9)),
    'a rare word': () => wordAt(random.between(5_000, 40_000)),
    'two common words': () => `${wordAt(random.between(0, 9))} ${wordAt(random.between(0, 99))}`,
    'three words': () => [10, 100, 1_000].map((rank) => wordAt(random.between(rank, rank * 9))).join(' '),
    'a phrase of common words': () => `"${wordAt(random.between(0, 9))} ${wordAt(random.between(0, 9))}"`,
    'two letters as they are typed': () => wordAt(random.between(0, 500)).slice(0, 2),
    'two Chinese characters': () => hanText(2),
    'one Chinese character': () => hanText(1),
  }
  const all: number[] = []
  for (const owner of [everybody, few])
    for (const [what, next] of Object.entries(queries)) {
      const samples: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        const terms = readSearchQuery(next())
        const since = performance.now()
        await search.find(principalOf(owner), terms, { filter: 'all', sort: 'best', offset: 0, limit: 21 })
        samples.push(performance.now() - since)
      }
      all.push(...samples)
      report(`${owner === few ? 'of a hundred' : 'of all'}, ${what}`, samples)
    }
  report('all searches', all)

  const documents = withChangesNoted(store.documents, (document) => search.indexer.onChanged(document))
  const edited = ids.slice(0, 20)
  const until = performance.now() + 20_000
  await Promise.all(
    edited.map(async (document, writer) => {
      for (let number = 2; performance.now() < until; number++) {
        const edit = {
          document,
          part: 'body',
          principal: everybody,
          session: String(writer),
          number,
        } as const
        await documents.append([{ ...edit, ...textUpdate([words(3)]) }])
        if (!committedAt.has(document)) committedAt.set(document, performance.now())
        await new Promise((resolve) => void realClock.after(random.between(50, 350), () => resolve(null)))
      }
    }),
  )
  report('20 documents that are edited 5 times a second, the index is behind by', delays)
  await search.close()
} finally {
  await rm(folder, { recursive: true, force: true })
}
