/**
 * The index on SQLite: a file of its own with a thread of its own, which reads the store's file beside it. So no search and no indexing
 * keeps an edit waiting on its way to the disk. What a crash of the machine takes of it is noticed by its sequences, and written again.
 */
import { rm } from 'node:fs/promises'
import { Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import { LINE_END } from '../../lib/search/passage.ts'
import { createWorkerDialect } from '../store/kysely-dialect.ts'
import { startStoreConnection } from '../store/store-connection.ts'
import { isDamage } from './lasting-search-index.ts'
import { countHeld, type SearchDialect, type SearchIndex, SqlSearchIndex } from './search-index.ts'
import type { SearchDatabase } from './search-tables.ts'

export interface SqliteSearchIndexOptions {
  readonly file: string
  /** The store's file. */
  readonly store: string
  /** After a restore the sequences of the store may stand for other texts. */
  readonly restoredAt: number | null
  readonly log?: Logger | undefined
}

/** A file that is damaged, or no database, is made anew. @param isDamaged Whether that was noticed before. */
export async function openSqliteSearchIndex(
  options: SqliteSearchIndexOptions,
  isDamaged: boolean,
): Promise<SearchIndex> {
  try {
    if (isDamaged) await removeFiles(options.file)
    return await openFile(options)
  } catch (error) {
    if (!isDamage(error)) throw error
    options.log?.warn({ err: error }, 'the search index is damaged, and is built anew')
    await removeFiles(options.file)
    return openFile(options)
  }
}

async function removeFiles(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true })
}

async function openFile({ file, store, restoredAt, log }: SqliteSearchIndexOptions): Promise<SearchIndex> {
  const connection = startStoreConnection({ file, attached: store, log })
  const db = new Kysely<SearchDatabase>({ dialect: createWorkerDialect(connection) })
  try {
    await connection.request('open', { attached: store })
    for (const statement of tables) await sql.raw(statement).execute(db)
    await sql`select rowid from search_tokens where search_tokens match 'a' limit 1`.execute(db)
    const index = new SqlSearchIndex(db, dialect, () => connection.end())
    const mark = String(restoredAt)
    const { rows } = await sql<{ mark: string }>`select mark from search_source`.execute(db)
    if (rows[0]?.mark !== mark) {
      await index.clear()
      await sql`insert or replace into search_source (id, mark) values (1, ${mark})`.execute(db)
    }
    return index
  } catch (error) {
    await connection.end()
    throw error
  }
}

/** `ascii` takes everything that is not ASCII for a part of a token, so tokens stay what they are. */
const tables = [
  `create table if not exists search_source (id integer primary key, mark text not null) strict`,
  `create table if not exists search_texts (
    id integer primary key, document text not null unique, version integer not null,
    body_sequence integer not null, comments_sequence integer not null) strict`,
  `create table if not exists search_passages (
    text_id integer not null references search_texts on delete cascade, passage integer not null,
    text text not null, tokens text not null, primary key (text_id, passage)) strict, without rowid`,
  `create table if not exists search_previews (
    text_id integer primary key references search_texts on delete cascade, preview text not null) strict`,
  `create table if not exists search_links (
    text_id integer not null references search_texts on delete cascade, target text not null,
    primary key (text_id, target)) strict, without rowid`,
  `create index if not exists search_links_to on search_links (target)`,
  `create virtual table if not exists search_tokens using fts5(
    title, body, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '2 3')`,
  `create trigger if not exists search_tokens_of_text after delete on search_texts begin
    delete from search_tokens where rowid = old.id; end`,
]

/** Of a title's tokens, in letters: each document that is found is ranked by them. */
const RANKED_TITLE_LENGTH = 400

const dialect: SearchDialect = {
  async writeTokens(db, id, [title, ...passages]) {
    const body = passages.map(({ tokens }) => tokens).join(LINE_END)
    await sql`delete from search_tokens where rowid = ${id}`.execute(db)
    await sql`insert into search_tokens (rowid, title, body) values (${id}, ${title!.tokens}, ${body})`.execute(
      db,
    )
  },
  matching(terms) {
    const phrases = terms.map(({ tokens, isPrefix }) => `"${tokens.join(' ')}"${isPrefix ? '*' : ''}`)
    return {
      // The planner would look up each readable document in the index by itself.
      from: sql`search_tokens cross join search_texts on search_texts.id = search_tokens.rowid
        cross join documents on documents.id = search_texts.document`,
      where: sql<boolean>`search_tokens match ${phrases.join(' AND ')}`,
      // Not bm25(): it weighs a word by how many documents have it, those that the caller may not read too, so the order would tell.
      rank: sql<number>`-(select ${countHeld(dialect, sql`substr(tokens, 1, ${RANKED_TITLE_LENGTH})`, terms)}
        from search_passages where text_id = search_texts.id and passage = 0)`,
      verified: null,
    }
  },
  position: (text, part) => sql<number>`instr(${text}, ${part})`,
}
