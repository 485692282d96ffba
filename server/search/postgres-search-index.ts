/**
 * The index on PostgreSQL: a `tsvector` for each document with GIN, beside the store's tables and with connections of its own. A tsvector
 * has no positions beyond 16,383 and at most 256 of a word, so phrases are looked for in the tokens of the passages.
 */
import { Kysely, sql } from 'kysely'
import type { SearchTerms } from '../../lib/search/search-query.ts'
import { lettersOfTerm, LINE_END, type Passage } from '../../lib/search/passage.ts'
import { createPostgresDialect } from '../store/postgres/kysely-dialect.ts'
import type { FencedPool } from '../store/postgres/transactions.ts'
import type { Database } from '../store/schema.ts'
import { type SearchDialect, type SearchIndex, SqlSearchIndex } from './search-index.ts'
import type { SearchDatabase } from './search-tables.ts'

/** @param services Makes the tables: its transactions take turns, those of other nodes included. */
export async function openPostgresSearchIndex(
  services: Kysely<Database>,
  searching: FencedPool,
): Promise<SearchIndex> {
  try {
    await services.transaction().execute(async (db) => {
      for (const statement of tables) await sql.raw(statement).execute(db)
    })
  } catch (error) {
    await searching.pool.end()
    throw error
  }
  const db = new Kysely<SearchDatabase>({ dialect: createPostgresDialect(searching, []) })
  return new SqlSearchIndex(db, dialect, () => searching.pool.end())
}

const tables = [
  `create table if not exists search_texts (
    id bigint generated always as identity primary key, document text collate "C" not null unique,
    version bigint not null, body_sequence bigint not null, comments_sequence bigint not null, tokens tsvector)`,
  `create index if not exists search_texts_by_tokens on search_texts using gin (tokens)`,
  `create table if not exists search_passages (
    text_id bigint not null references search_texts on delete cascade, passage bigint not null,
    text text not null, tokens text not null, primary key (text_id, passage))`,
  `create table if not exists search_previews (
    text_id bigint primary key references search_texts on delete cascade, preview text not null)`,
  `create table if not exists search_links (
    text_id bigint not null references search_texts on delete cascade, target text collate "C" not null,
    primary key (text_id, target))`,
  `create index if not exists search_links_to on search_links (target)`,
]

const dialect: SearchDialect = {
  async writeTokens(db, id, passages) {
    await sql`update search_texts set tokens = ${vectorOf(passages)}::tsvector where id = ${id}`.execute(db)
  },
  matching: (terms) => ({
    from: sql`search_texts join documents on documents.id = search_texts.document`,
    where: sql<boolean>`search_texts.tokens @@ ${queryOf(terms)}::tsquery`,
    rank: sql<number>`-ts_rank(search_texts.tokens, ${queryOf(terms)}::tsquery, 1)`,
    verified: phrasesOf(terms),
  }),
  position: (text, part) => sql<number>`strpos(${text}, ${part})`,
}

/** Of a word in the text: what more there are change no order that a person would notice. */
const MAX_POSITIONS = 3
const LAST_POSITION = 16_383

/** Tokens are letters and digits, so that they need no escape within quotes. Those of the title have the weight A. */
function vectorOf([title, ...passages]: readonly Passage[]): string {
  const places = new Map<string, string[]>()
  let position = 0
  const add = (token: string, weight: string): void => {
    if (token === '' || token === LINE_END) return
    position = Math.min(position + 1, LAST_POSITION)
    const known = places.get(token)
    if (!known) places.set(token, [`${position}${weight}`])
    else if (known.length < MAX_POSITIONS) known.push(`${position}${weight}`)
  }
  for (const token of title!.tokens.split(' ')) add(token, 'A')
  for (const { tokens } of passages) for (const token of tokens.split(' ')) add(token, '')
  return Array.from(places, ([token, at]) => `'${token}':${at.join(',')}`).join(' ')
}

const queryOf = (terms: SearchTerms): string =>
  terms
    .flatMap(({ tokens, isPrefix }) =>
      tokens.map((token, at) => `'${token}'${isPrefix && at === tokens.length - 1 ? ':*' : ''}`),
    )
    .join(' & ')

function phrasesOf(terms: SearchTerms) {
  const phrases = terms.filter(({ tokens }) => tokens.length > 1)
  if (phrases.length === 0) return null
  const held = phrases.map(
    (phrase) => sql`exists (select 1 from search_passages where text_id = candidates.id
      and strpos(search_passages.tokens, ${lettersOfTerm(phrase)}) > 0)`,
  )
  return sql<boolean>`${sql.join(held, sql` and `)}`
}
